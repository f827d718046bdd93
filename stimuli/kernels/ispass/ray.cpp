// RAY, ISPASS-2009 (workloads section 4.4): a ray tracer, one pixel per thread. A ray has up to five reflections, each with a shadow ray,
// and meets four objects in constant memory. The contributions of the reflections wait on a stack in local memory. Bound by arithmetic and
// divergence: the caches see only the stacks and the picture.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace ray {
namespace {
struct Vector {
  float x, y, z;
};
Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector operator*(const Vector& a, float factor) { return {a.x * factor, a.y * factor, a.z * factor}; }
float dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector unit(const Vector& a) { return a * (1.0f / std::sqrt(dot(a, a))); }

struct Ray {
  Vector origin, direction;
};
struct Hit {
  float distance;
  int object;  // -1: none
};
/// The surface where a ray meets an object.
struct Surface {
  Vector point, normal;
  int object;
};
/// The light that a reflection adds to the pixel, and the weight of the light that the reflected ray brings.
struct Shade {
  float red, green, blue, reflection;
};

struct Sphere {
  Vector centre;
  float radius;
  Shade paint;
};

constexpr int kObjects = 4, kReflections = 5;
constexpr Sphere kScene[kObjects] = {{{0.0f, -1001.0f, 0.0f}, 1000.0f, {0.4f, 0.4f, 0.35f, 0.15f}},  // the ground
                                     {{-1.7f, 0.6f, 3.6f}, 1.6f, {0.5f, 0.1f, 0.1f, 0.5f}},
                                     {{1.6f, 0.5f, 3.4f}, 1.5f, {0.1f, 0.4f, 0.1f, 0.6f}},
                                     {{0.0f, -0.4f, 1.8f}, 0.6f, {0.1f, 0.1f, 0.5f, 0.4f}}};
constexpr Vector kLight{3.0f, 8.0f, -2.0f};
constexpr Shade kSky{0.3f, 0.5f, 0.8f, 0.0f};
constexpr float kFarthest = 1e30f, kNearest = 1e-3f;
constexpr int kWidth = 16, kHeight = 8;  // CTA size

Ray through_pixel(int x, int y, int width, int height) {
  const float scale = 2.0f / static_cast<float>(width);
  const Vector at{(static_cast<float>(x) + 0.5f) * scale - 1.0f, (static_cast<float>(height - y) - 0.5f) * scale - 1.0f, 1.0f};
  return {{0.0f, 0.0f, -1.0f}, unit(at)};
}

/// Positive where the ray's line meets the sphere.
float discriminant(const Ray& ray, int object) {
  const Sphere& sphere = kScene[object];
  const Vector from = ray.origin - sphere.centre;
  const float along = dot(from, ray.direction);
  return along * along - (dot(from, from) - sphere.radius * sphere.radius);
}
Hit meets(const Ray& ray, int object, float root) { return {-dot(ray.origin - kScene[object].centre, ray.direction) - root, object}; }
Hit nearer(const Hit& best, const Hit& other) { return other.distance > kNearest && other.distance < best.distance ? other : best; }

Surface surface_at(const Ray& ray, const Hit& hit) {
  const int object = std::max(hit.object, 0);  // inactive lanes may have met none
  const Vector point = ray.origin + ray.direction * hit.distance;
  return {point, unit(point - kScene[object].centre), object};
}
Ray towards_light(const Surface& at) { return {at.point, unit(kLight - at.point)}; }
Ray reflected(const Ray& ray, const Surface& at) { return {at.point, ray.direction - at.normal * (2.0f * dot(ray.direction, at.normal))}; }
Shade shade_of(const Surface& at, int in_the_way) {
  const Shade& paint = kScene[at.object].paint;
  const float light = in_the_way >= 0 ? 0.0f : std::max(dot(at.normal, unit(kLight - at.point)), 0.0f);
  const float bright = 0.2f + 0.8f * light;
  return {paint.red * bright, paint.green * bright, paint.blue * bright, paint.reflection};
}
Shade over(const Shade& behind, const Shade& front) {
  return {front.red + front.reflection * behind.red, front.green + front.reflection * behind.green,
          front.blue + front.reflection * behind.blue, 0.0f};
}
std::int32_t packed(const Shade& colour) {
  const auto byte = [](float value) { return static_cast<std::int32_t>(std::min(value, 1.0f) * 255.0f); };
  return byte(colour.red) << 16 | byte(colour.green) << 8 | byte(colour.blue);
}

struct Data {
  Array<std::int32_t> result;
  LocalArray<Shade> stack;
  int width, height;
};

Lanes<Hit> first_hit(Warp& w, const Lanes<Ray>& ray) {
  Lanes<Hit> best = Hit{kFarthest, -1};
  for (const int object : w.trips(kObjects)) {
    const auto square = w.compute(40, lanewise([object](const Ray& r) { return discriminant(r, object); }, ray));
    w.where(square > 0.0f, [&] {
      const auto root = w.sfu(2, lanewise([](float s) { return std::sqrt(s); }, square));
      const auto hit = w.compute(14, lanewise([object](const Ray& r, float s) { return meets(r, object, s); }, ray, root));
      w.update(best, 4, lanewise(nearer, best, hit));
    });
  }
  return best;
}

Lanes<int> object_of(const Lanes<Hit>& hit) {
  return lanewise([](const Hit& h) { return h.object; }, hit);
}

/// Follows the rays to their ends. Returns how many shades of each ray are on its stack. `escaped`: the last ray left the scene.
Lanes<int> follow(Warp& w, const Data& k, Lanes<Ray>& ray, Lanes<int>& escaped) {
  Lanes<int> depth = 0, going = 1;
  w.while_any([&] { return going != 0 && depth < kReflections; },
              [&] {
                const auto hit = first_hit(w, ray);
                const auto leave = [&] {
                  w.set(escaped, 1);
                  w.set(going, 0);
                };
                const auto reflect = [&] {
                  const auto at = w.compute(24, lanewise(surface_at, ray, hit));
                  const auto to_light = w.compute(16, lanewise(towards_light, at));
                  const auto blocked = object_of(first_hit(w, to_light));
                  const auto shade = w.compute(60, lanewise(shade_of, at, blocked));
                  w.store(k.stack, depth, shade);
                  w.update(ray, 14, lanewise(reflected, ray, at));
                  w.update(depth, 1, depth + 1);
                  w.set(going, lanewise([](const Shade& s) { return s.reflection > 0.0f ? 1 : 0; }, shade));
                };
                w.where(object_of(hit) < 0, leave, reflect);
              });
  return depth;
}

void render(Warp& w, const Data& k) {
  const auto x = w.global_x(), y = w.global_y();
  const Mask inside = x < k.width && y < k.height;
  const auto pixel = y * k.width + x;
  w.alu(10);
  w.where(inside, [&] {
    const Lanes<int> black = 0;
    w.store(k.result, pixel, black);
  });
  w.barrier();
  w.where(inside, [&] {
    const auto primary = lanewise([&k](int i, int j) { return through_pixel(i, j, k.width, k.height); }, x, y);
    Lanes<Ray> ray = w.compute(30, primary);
    Lanes<int> escaped = 0;
    auto depth = follow(w, k, ray, escaped);
    Lanes<Shade> colour = Shade{0.0f, 0.0f, 0.0f, 0.0f};
    w.where(escaped != 0, [&] { w.set(colour, kSky); });
    w.while_any([&] { return depth > 0; },
                [&] {
                  w.update(depth, 1, depth - 1);
                  const auto front = w.load(k.stack, depth);
                  w.update(colour, 6, lanewise(over, colour, front));
                });
    const auto bytes = w.compute(12, lanewise(packed, colour));
    w.store(k.result, pixel, bytes);
  });
}

std::int32_t traced(int x, int y, int width, int height) {
  const auto first = [](const Ray& ray) {
    Hit best{kFarthest, -1};
    for (int object = 0; object < kObjects; ++object) {
      const float square = discriminant(ray, object);
      if (square > 0.0f) best = nearer(best, meets(ray, object, std::sqrt(square)));
    }
    return best;
  };
  Ray ray = through_pixel(x, y, width, height);
  std::vector<Shade> stack;
  Shade colour{0.0f, 0.0f, 0.0f, 0.0f};
  for (bool going = true; going && stack.size() < kReflections;) {
    const Hit hit = first(ray);
    if (hit.object < 0) {
      colour = kSky;
      break;
    }
    const Surface at = surface_at(ray, hit);
    stack.push_back(shade_of(at, first(towards_light(at)).object));
    going = stack.back().reflection > 0.0f;
    ray = reflected(ray, at);
  }
  for (; !stack.empty(); stack.pop_back()) colour = over(colour, stack.back());
  return packed(colour);
}

class RayTracer final : public Workload {
 public:
  RayTracer(const Arguments& arguments, Memory& memory, std::uint64_t) {
    auto& d = data_;
    d.width = arguments("width"), d.height = arguments("height");
    const Dim3 grid{ctas_for(d.width, kWidth), ctas_for(d.height, kHeight)}, block{kWidth, kHeight};
    d.result = memory.array<std::int32_t>("result", std::uint64_t(d.width) * std::uint64_t(d.height));
    d.stack = memory.local_array<Shade>("stack", grid.count() * block.count() / kLanes, kReflections);
    add_launch("render", grid, block, 40, [d](Warp& w) { render(w, d); }).frame = frame_of(d.stack);
  }

  bool check(std::string& why) const override {
    std::vector<std::int32_t> result;
    for (int y = 0; y < data_.height; ++y) {
      for (int x = 0; x < data_.width; ++x) result.push_back(traced(x, y, data_.width, data_.height));
    }
    return equal("result", data_.result, result, why);
  }

 private:
  Data data_{};
};

}  // namespace
}  // namespace ray

Entry ray_entry() {
  return {{"ray",
           "a ray tracer (ISPASS): arithmetic and divergence, stacks in local memory",
           {{"width", "256", 1, 4096, "pixels in x"}, {"height", "256", 1, 4096, "pixels in y"}},
           {{"n", {"width", "height"}}},
           {{"tiny", {{"width", 48}, {"height", 32}}},
            {"std", {{"width", 180}, {"height", 180}}},
            {"paper", {{"width", 256}, {"height", 256}}}}},
          make_workload<ray::RayTracer>};
}

}  // namespace wharf::spmd
