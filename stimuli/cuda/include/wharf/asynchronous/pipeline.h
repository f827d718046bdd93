#pragma once
// cuda::pipeline: batches of copies in order. One thread has its groups of copies; a block has two barriers per stage.

namespace cuda {

template <thread_scope scope, unsigned stages>
class pipeline_shared_state {
 public:
  barrier<thread_scope_block> full[stages], empty[stages];
};

template <thread_scope scope>
class pipeline {
 public:
  /// Waits until the oldest stage is free.
  __device__ void producer_acquire() {
    if (is_shared) empty_[next_.stage].wait_parity(!next_.odd);
  }
  /// The copies since the last commit are a batch.
  __device__ void producer_commit() {
    if (is_shared)
      wharf_asynchronous::arrive_after_copies(full_[next_.stage].native());
    else
      wharf_asynchronous::commit_copies();
    next_.advance(stages_);
  }
  /// Waits for the oldest batch that has not been released.
  __device__ void consumer_wait() {
    if (is_shared)
      full_[oldest_.stage].wait_parity(oldest_.odd);
    else
      wharf_asynchronous::await_copies(next_.stage - oldest_.stage - 1);
  }
  __device__ void consumer_release() {
    if (is_shared) empty_[oldest_.stage].arrive();
    oldest_.advance(stages_);
  }
  __device__ void quit() {}

  __device__ pipeline(barrier<thread_scope_block>* full, barrier<thread_scope_block>* empty, unsigned stages)
      : full_(full), empty_(empty), stages_(stages) {}

 private:
  static constexpr bool is_shared = scope != thread_scope_thread;
  /// A stage in its present round: of one thread, which has no stages, the number of the batch.
  struct Place {
    unsigned stage = 0;
    bool odd = false;
    __device__ void advance(unsigned stages) {
      if (++stage != stages || !is_shared) return;
      stage = 0;
      odd = !odd;
    }
  };
  barrier<thread_scope_block>*full_, *empty_;  // of each stage
  unsigned stages_;
  Place next_, oldest_;  // of the producer and of the consumer
};

__device__ inline pipeline<thread_scope_thread> make_pipeline() { return {nullptr, nullptr, 1}; }

enum class pipeline_role { producer, consumer };
}  // namespace cuda

namespace wharf_asynchronous {
template <class Group, cuda::thread_scope scope, unsigned stages>
__device__ inline cuda::pipeline<scope> share_pipeline(const Group& group, cuda::pipeline_shared_state<scope, stages>* state,
                                                       size_t producers, size_t consumers) {
  if (group.thread_rank() == 0)
    for (unsigned stage = 0; stage < stages; ++stage) {
      init(&state->full[stage], static_cast<ptrdiff_t>(producers));
      init(&state->empty[stage], static_cast<ptrdiff_t>(consumers));
    }
  group.sync();
  return {state->full, state->empty, stages};
}
}  // namespace wharf_asynchronous

namespace cuda {
/// All threads of the block are producers and consumers.
template <class Group, thread_scope scope, unsigned stages>
__device__ inline pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, stages>* state) {
  return wharf_asynchronous::share_pipeline(group, state, group.size(), group.size());
}
/// Each thread of the block is one of both.
template <class Group, thread_scope scope, unsigned stages>
__device__ inline pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, stages>* state, pipeline_role role) {
  const auto producers = static_cast<size_t>(__syncthreads_count(role == pipeline_role::producer));
  return wharf_asynchronous::share_pipeline(group, state, producers, group.size() - producers);
}
/// The first `producers` threads of the block are producers, the others consumers.
template <class Group, thread_scope scope, unsigned stages>
__device__ inline pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, stages>* state, size_t producers) {
  return wharf_asynchronous::share_pipeline(group, state, producers, group.size() - producers);
}

template <class To, class From, class Size, thread_scope scope>
__device__ inline void memcpy_async(To* to, const From* from, Size bytes, pipeline<scope>&) {
  wharf_asynchronous::copy_share<wharf_asynchronous::known_alignment<To, From, Size>()>(to, from, bytes, 0, 1);
}
template <class Group, class To, class From, class Size, thread_scope scope>
__device__ inline void memcpy_async(const Group& group, To* to, const From* from, Size bytes, pipeline<scope>&) {
  wharf_asynchronous::copy_share<wharf_asynchronous::known_alignment<To, From, Size>()>(to, from, bytes, group.thread_rank(), group.size());
}
/// Waits for all batches of the thread but the latest `open`.
template <unsigned open, thread_scope scope>
__device__ inline void pipeline_consumer_wait_prior(pipeline<scope>&) {
  wharf_asynchronous::await_copies(open);
}

}  // namespace cuda
