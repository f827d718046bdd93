// The two-bit sharing predictor of one core. Its transaction-level form, pc_two_bit.h, describes the function.
//
// Hardware: a fully associative table with true LRU, one operation per cycle. The answer to a prediction is combinational; an operation
// changes the state at the clock edge.
module pc_two_bit #(
    parameter int unsigned ENTRIES          = 64,          // 1 to 4096
    parameter int unsigned WINDOW           = 32,          // misses of a window in state 0: a power of two from 32 to 65536
    parameter              COUNT_AT         = "complete",  // "issue" or "complete": when a miss counts for its window
    parameter              PROBED           = "first",     // "first" or "spread": which misses of a window are probed
    parameter bit          SURVIVES_KERNELS = 1'b1,
    localparam int unsigned PC_BITS    = 32,
    localparam int unsigned EPOCH_BITS = 16,
    localparam int unsigned INDEX_BITS = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
    input  logic                  clock,
    input  logic                  reset,

    // A miss, to predict whether another core holds its line. The answer is valid with it; entry and epoch come back with its data.
    input  logic                  predict,
    input  logic [PC_BITS-1:0]    predict_pc,
    output logic                  predict_shared,
    output logic [INDEX_BITS-1:0] predict_entry,
    output logic [EPOCH_BITS-1:0] predict_epoch,

    // The data of a miss have arrived: from a core, or from L2.
    input  logic                  filled,
    input  logic [INDEX_BITS-1:0] filled_entry,
    input  logic [EPOCH_BITS-1:0] filled_epoch,
    input  logic                  filled_from_core,

    input  logic                  kernel_start
);

  localparam int unsigned WINDOW_BITS = $clog2(WINDOW);
  localparam int unsigned COUNT_BITS  = WINDOW_BITS + 5;  // twice the longest window, and more

  typedef logic [INDEX_BITS-1:0] index_t;
  typedef logic [EPOCH_BITS-1:0] epoch_t;
  typedef logic [COUNT_BITS-1:0] count_t;
  typedef logic [1:0]            state_t;  // 0: strong shared ... 3: strong non-shared

  // For each state: misses of a window, probed misses among them, and the replies from cores that a window needs to count as sharing.
  function automatic count_t window(input state_t state);
    return count_t'(WINDOW) << state;
  endfunction
  function automatic count_t share(input state_t state);
    return count_t'(WINDOW) >> state;
  endfunction
  function automatic count_t threshold(input state_t state);
    return (share(state) + count_t'(7)) >> 3;
  endfunction

  logic [PC_BITS-1:0] pc[ENTRIES];
  logic [ENTRIES-1:0] used;
  state_t             state[ENTRIES];
  epoch_t             epoch[ENTRIES];
  count_t             issued[ENTRIES], done[ENTRIES], from_cores[ENTRIES];
  index_t             age[ENTRIES];  // a permutation; 0: the least recently used

  // The entry of the pc, or else the least recently used one.
  logic   known;
  index_t oldest, match, entry;

  always_comb begin
    known = 1'b0;
    match = '0;
    oldest = '0;
    for (int unsigned i = 0; i < ENTRIES; ++i) begin
      if (used[i] && pc[i] == predict_pc) begin
        known = 1'b1;
        match |= index_t'(i);
      end
      if (age[i] == '0) oldest |= index_t'(i);
    end
    entry = known ? match : oldest;
  end

  // The miss and its window. Beyond a full window, which only counting at completion can see, the rest of the window continues.
  state_t now;
  count_t number;

  always_comb begin
    now = known ? state[entry] : '0;
    number = known ? issued[entry] : '0;
    if (number != '1) number = number + 1'b1;
    predict_entry = entry;
    predict_epoch = known ? epoch[entry] : epoch[entry] + 1'b1;
  end

  if (PROBED == "first") begin : g_first
    always_comb predict_shared = now == '0 || number <= share(now);
  end else begin : g_spread
    // Every 4^state-th miss.
    count_t skipped;
    always_comb begin
      skipped = (number - 1'b1) & ~({COUNT_BITS{1'b1}} << {now, 1'b0});
      predict_shared = now == '0 || (skipped == '0 && number <= window(now));
    end
  end

  // The end of a window.
  logic   current, finish;
  index_t finish_entry;
  state_t finish_state;
  count_t replies, complete;

  always_comb begin
    current = filled && epoch[filled_entry] == filled_epoch;
    complete = done[filled_entry] + 1'b1;
    replies = from_cores[filled_entry] + count_t'(filled_from_core);
  end

  if (COUNT_AT == "issue") begin : g_issue
    always_comb begin
      finish = predict && number == window(now);
      finish_entry = entry;
      finish_state = now;
    end
  end else begin : g_complete
    always_comb begin
      finish = current && complete == window(state[filled_entry]);
      finish_entry = filled_entry;
      finish_state = state[filled_entry];
    end
  end

  // True where the ending window has seen enough replies, including the one of this fill if it ends with a fill.
  logic shares;

  always_comb shares = (predict ? from_cores[finish_entry] : replies) >= threshold(finish_state);

  always_ff @(posedge clock) begin
    if (reset) begin
      used <= '0;
      for (int unsigned i = 0; i < ENTRIES; ++i) begin
        epoch[i] <= '0;
        age[i] <= index_t'(i);
      end
    end else if (kernel_start && !SURVIVES_KERNELS) begin
      used <= '0;
      for (int unsigned i = 0; i < ENTRIES; ++i) begin
        epoch[i] <= epoch[i] + 1'b1;
        age[i] <= index_t'(i);
      end
    end else begin
      if (predict) begin
        used[entry] <= 1'b1;
        pc[entry] <= predict_pc;
        state[entry] <= now;
        epoch[entry] <= predict_epoch;
        issued[entry] <= number;
        for (int unsigned i = 0; i < ENTRIES; ++i) begin
          if (age[i] > age[entry]) age[i] <= age[i] - 1'b1;
        end
        age[entry] <= index_t'(ENTRIES - 1);
      end
      if (predict && !known) begin
        done[entry] <= '0;
        from_cores[entry] <= '0;
      end
      if (current) begin
        done[filled_entry] <= complete;
        from_cores[filled_entry] <= replies;
      end
      if (finish) begin
        if (shares && finish_state != '0) state[finish_entry] <= finish_state - 1'b1;
        if (!shares && finish_state != '1) state[finish_entry] <= finish_state + 1'b1;
        epoch[finish_entry] <= epoch[finish_entry] + 1'b1;
        issued[finish_entry] <= '0;
        done[finish_entry] <= '0;
        from_cores[finish_entry] <= '0;
      end
    end
  end

endmodule
