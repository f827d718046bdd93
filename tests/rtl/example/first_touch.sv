// A hit predictor with one bit per set: a set that was never used holds nothing.
module first_touch #(
    parameter int unsigned ROWS = 256,
    localparam int unsigned ROW_BITS = $clog2(ROWS)
) (
    input  logic                clock,
    input  logic                reset,
    input  logic [ROW_BITS-1:0] query_row,
    output logic                query_hit,
    input  logic                update,
    input  logic [ROW_BITS-1:0] update_row
);

  logic [ROWS-1:0] touched;

  always_comb query_hit = touched[query_row];

  always_ff @(posedge clock) begin
    if (reset) touched <= '0;
    else if (update) touched[update_row] <= 1'b1;
  end

endmodule
