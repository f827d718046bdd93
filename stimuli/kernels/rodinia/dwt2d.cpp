// DWT2D, Rodinia 3.1 (workloads section 2.14): forward 9/7 wavelet transform of an image, in place in each level's low quadrant. A CTA
// slides a window of W columns and H + 7 rows down its strip. It lifts rows with barriers, because neighbours belong to other threads. Then
// each thread lifts its own column; the window carries four half-lifted rows of it on. Streaming, with 7 halo columns. Assumed of the
// compiler: the loops over a window's rows have constant trip counts and are unrolled. So a thread loads all rows of a column before it
// stores the first to shared memory, which the image cannot alias. In a lifting pass, the places in shared memory are known but for a
// common offset, so up to four elements are loaded before the first is lifted.

#include <algorithm>
#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace {

constexpr float kLift[4] = {-1.586134342f, -0.05298011854f, 0.8829110762f, 0.4435068522f};
constexpr float kScale = 1.230174105f;
constexpr int kBefore = 4, kHalo = 7;  // rows and columns of the window before its own; before and after its own
constexpr int kCopyThreads = 256;
constexpr int kMostRows = 8;  // rows of the window that are loaded at once
// Sites of the loads of a thread's own column and of a halo column; their registers (modulo 120) are 0 to 15.
constexpr std::uint32_t kOwnColumn = 1200, kHaloColumn = kOwnColumn + kMostRows;

/// The window of a CTA.
struct Window {
  int width, height;
};

Window window_for(int columns) { return columns >= 960 ? Window{192, 8} : columns >= 480 ? Window{128, 6} : Window{64, 6}; }

struct Level {
  Array<float> in, out;
  int columns, rows, pitch;  // in is dense, out has rows `pitch` apart
  Window window;
  int steps;  // window positions per CTA

  int half() const { return window.width / 2 + kBefore; }  // columns of one parity in shared memory
  int shared_elements() const { return 2 * half() * (window.height + kHalo); }
  /// Column c of the window's row r. Even columns come first, so that threads that lift neighbours access neighbours.
  template <class C>
  C place(int row, const C& column) const {
    return lanewise([this, row](int c) { return (row * 2 + c % 2) * half() + c / 2; }, column);
  }
};

/// Mirrors indices outside the image at its borders.
int mirrored(int i, int size) {
  if (size == 1) return 0;
  const int period = 2 * (size - 1), at = std::abs(i) % period;
  return std::min(at, period - at);
}

/// Loads `rows` rows of the window from `first` on: line y of the image and those below it. Every thread loads a column; the first seven
/// also load a column of the halo.
void load_rows(Warp& w, const Level& k, const SharedArray<float>& window, int first, int rows, int y) {
  const auto t = w.thread_x();
  const auto place = [&](const Lanes<int>& column, int line) {
    const int row = mirrored(line, k.rows) * k.columns, left = k.window.width * w.block_x() - kBefore;
    return lanewise([&](int c) { return row + mirrored(left + c, k.columns); }, column);
  };
  const auto load_column = [&](const Lanes<int>& column, std::uint32_t loads, Site stores) {
    Lanes<float> pixels[kMostRows];
    for (int r = 0; r < rows; ++r) pixels[r] = w.load(k.in, place(column, y + r), Site(loads + std::uint32_t(r)));
    for (int r = 0; r < rows; ++r) w.store(window, k.place(first + r, column), pixels[r], stores);
  };
  load_column(t + kBefore, kOwnColumn, Site());
  w.where(t < kHalo, [&] {
    const auto beyond = lanewise([&k](int l) { return l < kBefore ? l : l + k.window.width; }, t);
    load_column(beyond, kHaloColumn, Site());
  });
}

/// An element to be lifted and its neighbours, as a thread loads them.
struct Element {
  Lanes<float> before, own, after;
};

/// window[at] += factor * (window[before] + window[after]), in two steps.
void load_element(Warp& w, const SharedArray<float>& window, const Lanes<int>& before, const Lanes<int>& at, const Lanes<int>& after,
                  Element& e) {
  e.before = w.load(window, before);
  e.after = w.load(window, after);
  e.own = w.load(window, at);
}
void lift(Warp& w, const SharedArray<float>& window, float factor, const Lanes<int>& at, const Element& e) {
  const auto lifted = w.compute(4, e.own + factor * (e.before + e.after));
  w.store(window, at, lifted);
}

/// Rows `first` to `last` - 1: four lifting passes and a scaling pass. The CTA's threads share the rows' elements.
void transform_rows(Warp& w, const Level& k, const SharedArray<float>& window, int first, int last) {
  const int columns = k.window.width + kHalo;
  for (int pass = 0; pass < 5; ++pass) {
    const int each = pass < 4 ? columns / 2 - pass : columns;  // each pass can lift one column less at each end
    const int elements = each * (last - first);
    const auto place = [&](const Lanes<int>& element, int offset) {
      return lanewise(
          [&](int e) {
            const int c = pass < 4 ? 1 + pass + e % each * 2 + offset : e % each;
            return ((first + e / each) * 2 + c % 2) * k.half() + c / 2;
          },
          element);
    };
    const auto load = [&](int round, Element& e) {
      const auto element = w.thread_x() + round * k.window.width;
      w.alu(3);
      w.where(element < elements, [&] {
        if (pass < 4)
          load_element(w, window, place(element, -1), place(element, 0), place(element, 1), e);
        else
          e.own = w.load(window, place(element, 0));
      });
    };
    const auto use = [&](int round, const Element& e) {
      const auto element = w.thread_x() + round * k.window.width;
      w.where(element < elements, [&] {
        if (pass < 4) {
          lift(w, window, kLift[pass], place(element, 0), e);
        } else {
          const auto scale = lanewise([each](int n) { return n % each % 2 == 0 ? 1 / kScale : kScale; }, element);
          const auto scaled = w.compute(2, e.own * scale);
          w.store(window, place(element, 0), scaled);
        }
      });
    };
    const int full = elements / k.window.width;  // full rounds; the compiler keeps the last one, which a branch guards, after them
    w.barrier();
    w.batched_trips<Element>(full, std::clamp(full, 1, Warp::kMostAhead), load, use);
    if (elements % k.window.width != 0) {
      Element rest;
      load(full, rest);
      use(full, rest);
    }
  }
  w.barrier();
}

/// Lifts a thread's own column. Pass p lifts the rows of its parity that still need it, from `first[p]` to `last` - 1 - p.
void transform_column(Warp& w, const Level& k, const SharedArray<float>& window, const Lanes<int>& column, const int (&first)[4],
                      int last) {
  for (int pass = 0; pass < 4; ++pass) {
    const int rows = (last - 1 - pass - first[pass] + 1) / 2;
    const auto place = [&](int number, int offset) { return k.place(first[pass] + 2 * number + offset, column); };
    w.batched_trips<Element>(
        rows, rows, [&](int r, Element& e) { load_element(w, window, place(r, -1), place(r, 0), place(r, 1), e); },
        [&](int r, const Element& e) { lift(w, window, kLift[pass], place(r, 0), e); });
  }
}

/// Stores two rows of results: the low band above, the high band below.
void store_rows(Warp& w, const Level& k, const SharedArray<float>& window, const Lanes<int>& column, int row, int y) {
  const auto x = column - kBefore + k.window.width * w.block_x();
  const auto target = lanewise([&k](int c) { return c / 2 + c % 2 * ((k.columns + 1) / 2); }, x);
  w.where(x < k.columns, [&] {
    const auto low = w.load(window, k.place(row, column));
    const auto low_scaled = w.compute(2, low * (1 / kScale));
    w.store(k.out, target + y / 2 * k.pitch, low_scaled);
    if (y + 1 >= k.rows) return;
    const auto high = w.load(window, k.place(row + 1, column));
    const auto high_scaled = w.compute(2, high * kScale);
    w.store(k.out, target + (y / 2 + (k.rows + 1) / 2) * k.pitch, high_scaled);
  });
}

void fdwt97(Warp& w, const Level& k) {
  const auto window = w.shared<float>(0, std::uint32_t(k.shared_elements()));
  const int height = k.window.height, top = height * k.steps * w.block_y();
  const auto t = w.thread_x();
  // The first half of the threads has the even columns, so that each half stores one band.
  const auto column = lanewise([&k](int l) { return kBefore + (l < k.window.width / 2 ? 2 * l : 2 * l - k.window.width + 1); }, t);
  w.alu(30);
  load_rows(w, k, window, 0, kHalo, top - kBefore);
  transform_rows(w, k, window, 0, kHalo);
  transform_column(w, k, window, column, {1, 2, 3, 4}, kHalo);
  for (int y = top; y < std::min(k.rows, top + height * k.steps); y += height) {
    load_rows(w, k, window, kHalo, height, y - kBefore + kHalo);
    transform_rows(w, k, window, kHalo, kHalo + height);
    transform_column(w, k, window, column, {7, 6, 5, 4}, kHalo + height);
    for (int row = 0; row < height && y + row < k.rows; row += 2) store_rows(w, k, window, column, kBefore + row, y + row);
    for (const int row : w.trips(3, kHalo)) {
      const auto kept = w.load(window, k.place(row + height, column));
      w.store(window, k.place(row, column), kept);
    }
    w.barrier();
  }
}

struct Source {
  Array<std::uint32_t> pixels;  // `components` bytes each
  Array<float> planes;
  int count, components;
};

/// Converts bytes of interleaved components to floats around 0, one plane per component.
void copy_source(Warp& w, const Source& k) {
  const auto words = w.shared<std::uint32_t>(0, std::uint32_t(kCopyThreads * k.components / 4));
  const auto bytes = w.shared<std::uint8_t>(0, std::uint32_t(kCopyThreads * k.components));
  const int words_of_cta = kCopyThreads * k.components / 4;
  const auto t = w.thread_x(), pixel = w.global_x();
  const auto word = t + w.block_x() * words_of_cta;
  w.alu(12);
  w.where(t < words_of_cta && word < static_cast<int>(k.pixels.size), [&] {
    const auto packed = w.load(k.pixels, word);
    w.store(words, t, packed);
  });
  w.barrier();
  w.where(pixel < k.count, [&] {
    for (const int component : w.unrolled(k.components)) {
      const auto byte = w.load(bytes, t * k.components + component);
      const auto value = w.compute(3, lanewise([](std::uint8_t b) { return static_cast<float>(b) - 128.0f; }, byte));
      w.store(k.planes, pixel + component * k.count, value);
    }
  });
}

class Dwt2d final : public Workload {
 public:
  Dwt2d(const Arguments& arguments, Memory& memory, std::uint64_t seed)
      : columns_(arguments("width")), rows_(arguments("height")), levels_(arguments("levels")) {
    const int components = arguments("components"), pixels = columns_ * rows_;
    const auto count = std::uint64_t(pixels);
    arguments.require(std::min(columns_, rows_) >> (levels_ - 1) >= 2,
                      "the last level must have two rows and columns; choose fewer levels");
    Source source{memory.array<std::uint32_t>("image", (count * std::uint64_t(components) + 3) / 4),
                  memory.array<float>("planes", count * std::uint64_t(components)), pixels, components};
    image_ = reinterpret_cast<const std::uint8_t*>(source.pixels.data);
    draw(source, seed);
    add_launch(
        "dwt2d_copy_source", {ctas_for(pixels, kCopyThreads)}, {kCopyThreads}, 12, [source](Warp& w) { copy_source(w, source); },
        std::uint32_t(kCopyThreads * components), 3);
    const auto low = memory.array<float>("low", std::uint64_t((columns_ + 1) / 2) * std::uint64_t((rows_ + 1) / 2));
    for (int component = 0; component < components; ++component) {
      const auto out = memory.array<float>("bands" + std::to_string(component), count);
      bands_.push_back(out);
      Level level{source.planes.from(std::uint64_t(component) * count), out, columns_, rows_, columns_, {}, 0};
      for (int number = 0; number < levels_; ++number) {
        add_level(level);
        level.in = low;
        level.columns = (level.columns + 1) / 2, level.rows = (level.rows + 1) / 2;
      }
    }
  }

  const Kernel* next() override {
    if (position_ > 0 && (position_ - 1) % std::size_t(levels_) != 0) copy_low_band();
    return position_ < launches.size() ? &launches[position_++] : nullptr;
  }

  bool check(std::string& why) const override {
    const auto pixels = std::size_t(columns_) * std::size_t(rows_);
    for (std::size_t component = 0; component < bands_.size(); ++component) {
      std::vector<float> bands(pixels);
      for (std::size_t i = 0; i < pixels; ++i) bands[i] = static_cast<float>(image_[i * bands_.size() + component]) - 128.0f;
      int columns = columns_, rows = rows_;
      for (int level = 0; level < levels_; ++level, columns = (columns + 1) / 2, rows = (rows + 1) / 2) {
        for (int y = 0; y < rows; ++y) transform(bands.data() + std::ptrdiff_t(y) * columns_, columns, 1);
        for (int x = 0; x < columns; ++x) transform(bands.data() + x, rows, columns_);
      }
      if (!equal("bands" + std::to_string(component), bands_[component], bands, why)) return false;
    }
    return true;
  }

 private:
  /// Draws a smooth picture with noise: neighbouring pixels are similar.
  void draw(const Source& source, std::uint64_t seed) {
    Rng random(seed);
    auto* const bytes = reinterpret_cast<std::uint8_t*>(source.pixels.data);
    for (int y = 0; y < rows_; ++y) {
      for (int x = 0; x < columns_; ++x) {
        for (int c = 0; c < source.components; ++c) {
          const int shade = 64 + (x * (c + 1) * 96 / columns_ + y * 64 / rows_) + static_cast<int>(random.below(16));
          bytes[(std::size_t(y) * std::size_t(columns_) + std::size_t(x)) * std::size_t(source.components) + std::size_t(c)] =
              static_cast<std::uint8_t>(shade % 256);
        }
      }
    }
  }

  void add_level(Level level) {
    level.window = window_for(level.columns);
    level.steps = (level.rows + 15 * level.window.height - 1) / (15 * level.window.height);
    const auto width = std::uint32_t(level.window.width);
    const Dim3 grid{ctas_for(level.columns, width), ctas_for(level.rows, std::uint32_t(level.window.height * level.steps))};
    const std::string name = "dwt2d_fdwt97_" + std::to_string(levels_of_launch_.size() % std::size_t(levels_) + 1);
    add_launch(
        name, grid, {width}, 52, [level](Warp& w) { fdwt97(w, level); }, 4 * std::uint32_t(level.shared_elements()));
    levels_of_launch_.push_back(level);
  }

  /// The program's device copy of the low quadrant, which the next level reads.
  void copy_low_band() {
    const Level& level = levels_of_launch_[position_ - 1];
    for (int y = 0; y < level.rows; ++y) {
      std::copy_n(level.out.data + std::ptrdiff_t(y) * level.pitch, level.columns, level.in.data + std::ptrdiff_t(y) * level.columns);
    }
  }

  /// Transforms one row or column of `size` elements that are `stride` apart, without windows.
  static void transform(float* line, int size, int stride) {
    std::vector<float> v(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) v[std::size_t(i)] = line[std::ptrdiff_t(i) * stride];
    const auto at = [&](int i) { return v[std::size_t(mirrored(i, size))]; };
    for (int pass = 0; pass < 4; ++pass) {
      for (int i = 1 - pass % 2; i < size; i += 2) v[std::size_t(i)] += kLift[pass] * (at(i - 1) + at(i + 1));
    }
    for (int i = 0; i < size; ++i) {
      line[std::ptrdiff_t(i / 2 + i % 2 * ((size + 1) / 2)) * stride] = v[std::size_t(i)] * (i % 2 == 0 ? 1 / kScale : kScale);
    }
  }

  int columns_, rows_, levels_;
  std::size_t position_ = 0;
  const std::uint8_t* image_;
  std::vector<Array<float>> bands_;
  std::vector<Level> levels_of_launch_;
};

}  // namespace

Entry dwt2d_entry() {
  return {{"dwt2d",
           "forward 9/7 wavelet transform of an image (Rodinia): windows sliding through shared memory, streaming",
           {{"width", "512", 8, 8192, "columns of the image"},
            {"height", "512", 8, 8192, "rows of the image"},
            {"components", "3", 1, 3, "of a pixel, each transformed on its own"},
            {"levels", "3", 1, 8, "transforms, each of the low quadrant of the one before"}},
           {},
           {{"tiny", {{"width", 64}, {"height", 64}, {"components", 1}}},
            {"std", {{"width", 512}, {"height", 512}}},
            {"paper", {{"width", 1024}, {"height", 1024}}},
            {"llc", {{"width", 768}, {"height", 768}}}}},
          make_workload<Dwt2d>};
}

}  // namespace wharf::spmd
