// The iSLIP allocator of a crossbar; policies/arbitration/islip.h is its TLM form and names the source.
//
// The matching is combinational: it is valid in the same cycle as the requests and free ports at the inputs. The clock edge that ends the
// cycle moves the pointers. A cycle without a match changes nothing.
//
// A round-robin pointer is stored as the mask of the ports from it on. The first request is the lowest one under the mask, or the lowest of
// all if the mask covers none. Beyond the last port the mask is empty, which acts like a pointer to port 0. Therefore an allocator whose
// last ports never request gives the same answers as a smaller one.
module islip #(
  parameter int unsigned INPUTS = 16,
  parameter int unsigned OUTPUTS = 16,
  parameter int unsigned ITERATIONS = 1,
  localparam int unsigned INPUT_BITS = INPUTS > 1 ? $clog2(INPUTS) : 1
) (
  input  logic                  clock,
  input  logic                  reset,              // synchronous: every pointer to port 0
  input  logic [INPUTS-1:0]     request [OUTPUTS],  // [output] the inputs whose head asks for it
  input  logic [INPUTS-1:0]     input_free,
  input  logic [OUTPUTS-1:0]    output_free,
  output logic [OUTPUTS-1:0]    matched,            // outputs with a partner in this cycle
  output logic [INPUT_BITS-1:0] partner [OUTPUTS]   // the input, where matched
);
  logic [INPUTS-1:0]  grant_from  [OUTPUTS];
  logic [OUTPUTS-1:0] accept_from [INPUTS];

  // The number of the port in a one-hot mask: bit b is set where the port is among those whose number has bit b.
  // verilator coverage_off
  function automatic logic [INPUT_BITS-1:0][INPUTS-1:0] inputs_numbered();  // runs at elaboration; not part of the circuit
    for (int unsigned b = 0; b < INPUT_BITS; b++)
      for (int unsigned i = 0; i < INPUTS; i++) inputs_numbered[b][i] = |(i & (1 << b));
  endfunction
  // verilator coverage_on
  localparam logic [INPUT_BITS-1:0][INPUTS-1:0] NUMBERED = inputs_numbered();
  function automatic logic [INPUT_BITS-1:0] number_of(logic [INPUTS-1:0] port);
    for (int unsigned b = 0; b < INPUT_BITS; b++) number_of[b] = |(port & NUMBERED[b]);
  endfunction

  for (genvar k = 0; k < ITERATIONS; k++) begin : iteration
    logic [INPUTS-1:0]     inputs_free;
    logic [OUTPUTS-1:0]    outputs_free, outputs_taken;
    logic [INPUTS-1:0]     grant   [OUTPUTS];  // one-hot, or none
    logic [INPUT_BITS-1:0] granted [OUTPUTS];  // its number
    logic [OUTPUTS-1:0]    offer   [INPUTS];   // the outputs that grant it
    logic [OUTPUTS-1:0]    accept  [INPUTS];   // one-hot, or none
    logic [INPUT_BITS-1:0] pair    [OUTPUTS];  // the partner so far

    if (k == 0) begin : first
      assign inputs_free  = input_free;
      assign outputs_free = output_free;
    end else begin : later
      always_comb
        for (int unsigned i = 0; i < INPUTS; i++) inputs_free[i] = iteration[k-1].inputs_free[i] & ~|iteration[k-1].accept[i];
      assign outputs_free = iteration[k-1].outputs_free & ~iteration[k-1].outputs_taken;
    end

    // Every free output grants the first free input that asks.
    always_comb begin
      logic [INPUTS-1:0] asking, ahead, among;
      for (int unsigned o = 0; o < OUTPUTS; o++) begin
        asking     = outputs_free[o] ? request[o] & inputs_free : '0;
        ahead      = asking & grant_from[o];
        among      = |ahead ? ahead : asking;
        grant[o]   = among & -among;
        granted[o] = number_of(grant[o]);
      end
    end
    always_comb begin
      for (int unsigned i = 0; i < INPUTS; i++) offer[i] = '0;
      for (int unsigned o = 0; o < OUTPUTS; o++)
        if (|grant[o]) offer[granted[o]][o] = 1'b1;
    end

    // Every granted input accepts the first of its outputs.
    always_comb begin
      logic [OUTPUTS-1:0] ahead, among;
      outputs_taken = '0;
      for (int unsigned i = 0; i < INPUTS; i++) begin
        ahead         = offer[i] & accept_from[i];
        among         = |ahead ? ahead : offer[i];
        accept[i]     = among & -among;
        outputs_taken = outputs_taken | accept[i];
      end
    end

    if (k == 0) begin : first_pairs
      assign pair = granted;
    end else begin : later_pairs
      always_comb
        for (int unsigned o = 0; o < OUTPUTS; o++) pair[o] = outputs_free[o] ? granted[o] : iteration[k-1].pair[o];
    end
  end

  assign matched = output_free & ~(iteration[ITERATIONS-1].outputs_free & ~iteration[ITERATIONS-1].outputs_taken);
  assign partner = iteration[ITERATIONS-1].pair;

  // Pointers move one beyond the partner, and only for matches of the first iteration. The negative of a one-hot mask is the mask of the
  // ports from its port on.
  for (genvar o = 0; o < OUTPUTS; o++) begin : grant_pointer
    always_ff @(posedge clock)
      if (reset) grant_from[o] <= '1;
      else if (iteration[0].outputs_taken[o]) grant_from[o] <= -(iteration[0].grant[o] << 1);
  end
  for (genvar i = 0; i < INPUTS; i++) begin : accept_pointer
    always_ff @(posedge clock)
      if (reset) accept_from[i] <= '1;
      else if (|iteration[0].accept[i]) accept_from[i] <= -(iteration[0].accept[i] << 1);
  end
endmodule
