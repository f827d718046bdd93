// The hit/miss predictor of one partition (Morpheus): two Bloom filters per set. Its transaction-level form, bloom.h, describes the
// function.
//
// Hardware: the filters are two memories of one row per set, each read and written in one cycle. One bit per set says which of the two is
// the first, so that a swap moves no data; a valid bit empties a filter. The query is combinational (its cycle is part of the partition's
// traversal); an update takes effect at the clock edge. Query and update have separate ports.
module bloom #(
    parameter int unsigned BYTES  = 32,   // of one filter: 1, 2, 4 ... 4096
    parameter int unsigned HASHES = 2,    // bits that a block sets in a filter: 1 to 4
    parameter int unsigned ROWS   = 256,  // sets of the partition at most
    localparam int unsigned ROW_BITS   = $clog2(ROWS),
    localparam int unsigned TAG_BITS   = 23,  // identifies a line; 18 or fewer in use unless the LLC is tiny
    localparam int unsigned COUNT_BITS = 10  // associativity up to 1023
) (
    input  logic                  clock,
    input  logic                  reset,

    // Blocks that a set holds in strict LRU order; 0: only update_all_touched triggers a swap. Written after reset.
    input  logic                  configure,
    input  logic [ROW_BITS-1:0]   configure_row,
    input  logic [COUNT_BITS-1:0] configure_associativity,

    input  logic [ROW_BITS-1:0]   query_row,
    input  logic [TAG_BITS-1:0]   query_tag,
    output logic                  query_hit,

    // A block has been used or inserted.
    input  logic                  update,
    input  logic [ROW_BITS-1:0]   update_row,
    input  logic [TAG_BITS-1:0]   update_tag,
    input  logic                  update_all_touched,
    output logic                  update_swap     // valid with update: the set swaps its filters at this edge
);

  localparam int unsigned BITS      = BYTES * 8;
  localparam int unsigned BIT_WIDTH = $clog2(BITS);

  typedef logic [BITS-1:0] filter_t;
  typedef logic [BIT_WIDTH-1:0] bit_t;

  // Position at which the row meets the tag in a hashed word.
  localparam int unsigned ROW_SHIFT = 18;

  // Odd, so that the products of different words differ.
  localparam logic [3:0][31:0] MULTIPLIER = {32'h27D4EB2F, 32'hC2B2AE35, 32'h85EBCA6B, 32'h9E3779B1};

  // The bit of a filter that a hash of a block selects: the highest bits of a product.
  function automatic bit_t bit_of(input logic [ROW_BITS-1:0] row, input logic [TAG_BITS-1:0] tag, input logic [1:0] hash);
    return bit_t'(((32'(row) << ROW_SHIFT ^ 32'(tag)) * MULTIPLIER[hash]) >> (32 - BIT_WIDTH));
  endfunction

  filter_t               filter_0[ROWS];
  filter_t               filter_1[ROWS];
  logic [ROWS-1:0]       holds_0, holds_1;     // a filter whose bit is clear is empty
  logic [ROWS-1:0]       first;                // which of the two is the set's first filter
  logic [COUNT_BITS-1:0] used[ROWS];           // distinct blocks in the second filter
  logic [COUNT_BITS-1:0] associativity[ROWS];

  filter_t query_filter;
  logic    query_holds;

  always_comb begin
    query_filter = first[query_row] ? filter_1[query_row] : filter_0[query_row];
    query_holds = first[query_row] ? holds_1[query_row] : holds_0[query_row];
    query_hit = query_holds;
    for (int unsigned hash = 0; hash < HASHES; ++hash) begin
      query_hit &= query_filter[bit_of(query_row, query_tag, 2'(hash))];
    end
  end

  filter_t               next_0, next_1, second;
  logic                  is_new;
  logic [COUNT_BITS-1:0] ways, count;

  always_comb begin
    next_0 = holds_0[update_row] ? filter_0[update_row] : '0;
    next_1 = holds_1[update_row] ? filter_1[update_row] : '0;
    second = first[update_row] ? next_0 : next_1;
    is_new = 1'b0;
    for (int unsigned hash = 0; hash < HASHES; ++hash) begin
      is_new |= !second[bit_of(update_row, update_tag, 2'(hash))];
      next_0[bit_of(update_row, update_tag, 2'(hash))] = 1'b1;
      next_1[bit_of(update_row, update_tag, 2'(hash))] = 1'b1;
    end
  end

  // A set with an external swap signal needs no count.
  always_comb begin
    ways = associativity[update_row];
    count = used[update_row] + COUNT_BITS'(ways != '0 && is_new);
    update_swap = ways == '0 ? update_all_touched : count >= ways;
  end

  always_ff @(posedge clock) begin
    if (update) begin
      filter_0[update_row] <= next_0;
      filter_1[update_row] <= next_1;
    end
  end

  // At a swap the second filter, with this block, becomes the first; the first, emptied, becomes the second.
  always_ff @(posedge clock) begin
    if (reset) begin
      holds_0 <= '0;
      holds_1 <= '0;
      first <= '0;
    end else if (update) begin
      holds_0[update_row] <= !update_swap || first[update_row];
      holds_1[update_row] <= !update_swap || !first[update_row];
      first[update_row] <= first[update_row] ^ update_swap;
    end
  end

  always_ff @(posedge clock) begin
    if (configure) begin
      associativity[configure_row] <= configure_associativity;
      used[configure_row] <= '0;
    end else if (update) begin
      used[update_row] <= update_swap ? '0 : count;
    end
  end

endmodule
