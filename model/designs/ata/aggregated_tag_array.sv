// The tags of all L1s of a cluster and their lookup (ata section 4); aggregated_tag_array.h is the TLM form.
//
// A bank holds one set of one L1, so one read of a bank serves any number of ports, and lookups never conflict (ata section 4.1). Each port
// has a selector per L1, which selects the bank of its set, and a group of comparators behind the selectors. A lookup is combinational and
// sees the tags as of the last clock edge. A write is visible after the edge that ends its cycle. Each L1 writes its own banks, one way per
// cycle (ATA-O12).
module aggregated_tag_array #(
  parameter int unsigned PORTS = 10,    // L1s of the cluster
  parameter int unsigned SETS = 8,      // of an L1
  parameter int unsigned WAYS = 64,
  parameter int unsigned TAG_BITS = 40,
  parameter int unsigned SECTORS = 4,   // of a line
  localparam int unsigned SET_BITS = SETS > 1 ? $clog2(SETS) : 1,
  localparam int unsigned WAY_BITS = WAYS > 1 ? $clog2(WAYS) : 1
) (
  input  logic                          clock,
  input  logic                          reset,                  // synchronous: every L1 is empty
  input  logic [PORTS-1:0]              lookup,                 // the ports with a lookup; the comparators of the others are idle
  input  logic [SET_BITS-1:0]           lookup_set    [PORTS],
  input  logic [TAG_BITS-1:0]           lookup_tag    [PORTS],
  output logic [SECTORS-1:0][PORTS-1:0] hits          [PORTS],  // [port][sector]: the L1s that hold it
  input  logic [PORTS-1:0]              write,                  // which L1s write a way
  input  logic [SET_BITS-1:0]           write_set     [PORTS],
  input  logic [WAY_BITS-1:0]           write_way     [PORTS],
  input  logic [TAG_BITS-1:0]           write_tag     [PORTS],
  input  logic [SECTORS-1:0]            write_sectors [PORTS],  // the sectors that become valid; none: the way becomes free
  input  logic [PORTS-1:0]              clear                   // the L1s to empty, even if they write in that cycle
);
  logic [TAG_BITS-1:0] tag   [PORTS][SETS][WAYS];
  logic [WAYS-1:0]     valid [PORTS][SETS][SECTORS];

  for (genvar l1 = 0; l1 < PORTS; l1++) begin : tag_array
    always_ff @(posedge clock)
      if (write[l1]) tag[l1][write_set[l1]][write_way[l1]] <= write_tag[l1];

    for (genvar set = 0; set < SETS; set++) begin : bank
      for (genvar s = 0; s < SECTORS; s++) begin : sector
        always_ff @(posedge clock)
          if (reset || clear[l1]) valid[l1][set][s] <= '0;
          else if (write[l1] && write_set[l1] == SET_BITS'(set)) valid[l1][set][s][write_way[l1]] <= write_sectors[l1][s];
      end
    end
  end

  for (genvar port = 0; port < PORTS; port++) begin : lookup_port
    always_comb begin
      logic [WAYS-1:0] match;
      match      = '0;
      hits[port] = '0;
      if (lookup[port])
        for (int unsigned l1 = 0; l1 < PORTS; l1++) begin
          for (int unsigned way = 0; way < WAYS; way++) match[way] = tag[l1][lookup_set[port]][way] == lookup_tag[port];
          for (int unsigned s = 0; s < SECTORS; s++) hits[port][s][l1] = |(match & valid[l1][lookup_set[port]][s]);
        end
    end
  end
endmodule
