// CFD (euler3d), Rodinia 3.1 (workloads section 2.10): compressible flow over an unstructured mesh of tetrahedra. An iteration computes
// each element's step width, and then three times the flux over its faces and a step in time. The five planes of variables are gathered
// from the neighbours, so warps and CTAs share their lines. Normals and neighbour numbers stream.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "stimuli/inputs/tetra_mesh.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace cfd {
namespace {
constexpr int kThreads = 192, kStages = 3, kVariables = 5, kFaces = 4;
constexpr float kGamma = 1.4f, kSmoothing = 0.2f;

// ---- The physics of one element, on the GPU and on the host

struct Float3 {
  float x, y, z;
  friend Float3 operator+(const Float3& a, const Float3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Float3 operator-(const Float3& a, const Float3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Float3 operator*(float a, const Float3& b) { return {a * b.x, a * b.y, a * b.z}; }
};

float dot(const Float3& a, const Float3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Float3 vector(float x, float y, float z) { return {x, y, z}; }
Float3 scaled(float factor, const Float3& a) { return factor * a; }
float length(const Float3& a) { return std::sqrt(dot(a, a)); }

/// Flux of momentum in the three directions.
struct Tensor {
  Float3 x, y, z;
  friend Tensor operator+(const Tensor& a, const Tensor& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
};

Float3 velocity_of(const Float3& momentum, float density) { return {momentum.x / density, momentum.y / density, momentum.z / density}; }
float pressure_of(float density, float energy, float speed) { return (kGamma - 1.0f) * (energy - 0.5f * density * speed * speed); }
float sound_of(float density, float pressure) { return std::sqrt(kGamma * pressure / density); }
Tensor momentum_flux_of(const Float3& velocity, const Float3& momentum, float pressure) {
  const Float3 x = velocity.x * momentum, y = velocity.y * momentum, z = velocity.z * momentum;
  return {{x.x + pressure, x.y, x.z}, {y.x, y.y + pressure, y.z}, {z.x, z.y, z.z + pressure}};
}
Float3 energy_flux_of(const Float3& velocity, float energy, float pressure) { return (energy + pressure) * velocity; }

/// Flux through a face: half the sum of the two sides' fluxes along the normal.
float through(const Float3& normal, const Float3& own, const Float3& other) { return dot(0.5f * normal, own + other); }
Float3 through(const Float3& normal, const Tensor& own, const Tensor& other) {
  const Tensor sum = own + other;
  return 0.5f * (normal.x * sum.x + normal.y * sum.y + normal.z * sum.z);
}
/// Artificial viscosity: the factor of the difference between the two sides.
float viscosity_of(float area, float pace) { return -area * kSmoothing * 0.5f * pace; }

/// Density, momentum and energy; or their fluxes; or their changes.
struct State {
  float density;
  Float3 momentum;
  float energy;
};

/// The flow far from the wing: Mach 1.2 along x.
struct FarField {
  State state{1.4f, {1.4f * 1.2f, 0.0f, 0.0f}, 1.4f * (0.5f * 1.2f * 1.2f) + 1.0f / (kGamma - 1.0f)};
  Tensor momentum_flux = momentum_flux_of({1.2f, 0.0f, 0.0f}, state.momentum, 1.0f);
  Float3 energy_flux = energy_flux_of({1.2f, 0.0f, 0.0f}, state.energy, 1.0f);
};

// ---- The kernels

struct Data {
  Array<float> variables, old_variables, fluxes;  // five planes each: density, momentum in x, y, z, energy
  Array<float> step_factors, areas, normals;      // normals: plane face + 4 * axis
  Array<std::int32_t> neighbours;                 // index: plane face
  int elements;                                   // elements per plane
};

void initialize(Warp& w, const Array<float>& planes, int elements) {
  const auto i = w.global_x();
  const State far = FarField().state;
  w.alu(6);
  w.store(planes, i, far.density);
  w.store(planes, i + elements, far.momentum.x);
  w.store(planes, i + 2 * elements, far.momentum.y);
  w.store(planes, i + 3 * elements, far.momentum.z);
  w.store(planes, i + 4 * elements, far.energy);
}

void step_factor(Warp& w, const Data& k) {
  const auto i = w.global_x();
  w.alu(6);
  const auto density = w.load(k.variables, i);
  const auto mx = w.load(k.variables, i + k.elements);
  const auto my = w.load(k.variables, i + 2 * k.elements);
  const auto mz = w.load(k.variables, i + 3 * k.elements);
  const auto energy = w.load(k.variables, i + 4 * k.elements);
  const auto area = w.load(k.areas, i);
  const auto momentum = w.compute(3, lanewise(vector, mx, my, mz));
  const auto velocity = w.sfu(3, lanewise(velocity_of, momentum, density));
  const auto speed = w.sfu(1, lanewise(length, velocity));
  const auto pressure = w.compute(12, lanewise(pressure_of, density, energy, speed));
  const auto sound = w.sfu(2, lanewise(sound_of, density, pressure));
  const auto root = w.sfu(1, sqrt(area));
  const auto pace = w.compute(14, root * (speed + sound));
  const auto factor = w.sfu(1, 0.5f / pace);
  w.store(k.step_factors, i, factor);
}

/// Each lane's element, in the quantities that the flux over its faces needs.
struct Side {
  Lanes<float> density, energy, speed, pressure, sound;
  Lanes<Float3> momentum, energy_flux;
  Lanes<Tensor> momentum_flux;
};

struct Changes {
  Lanes<float> density = 0.0f, energy = 0.0f;
  Lanes<Float3> momentum = Float3{};
};

struct Face {
  Lanes<int> other;  // element on the other side
  Lanes<Float3> normal;
  Lanes<float> area;
};

Side own_side(Warp& w, const Data& k, const Lanes<int>& i) {
  Side s;
  s.density = w.load(k.variables, i);
  const auto mx = w.load(k.variables, i + k.elements);
  const auto my = w.load(k.variables, i + 2 * k.elements);
  const auto mz = w.load(k.variables, i + 3 * k.elements);
  s.energy = w.load(k.variables, i + 4 * k.elements);
  s.momentum = w.compute(1, lanewise(vector, mx, my, mz));
  const auto velocity = w.sfu(3, lanewise(velocity_of, s.momentum, s.density));
  s.speed = w.sfu(1, lanewise(length, velocity));
  s.pressure = w.compute(10, lanewise(pressure_of, s.density, s.energy, s.speed));
  s.sound = w.sfu(2, lanewise(sound_of, s.density, s.pressure));
  s.momentum_flux = w.compute(13, lanewise(momentum_flux_of, velocity, s.momentum, s.pressure));
  s.energy_flux = w.compute(6, lanewise(energy_flux_of, velocity, s.energy, s.pressure));
  return s;
}

Face face_of(Warp& w, const Data& k, const Lanes<int>& i, int face) {
  Face f;
  f.other = w.load(k.neighbours, i + face * k.elements);
  const auto nx = w.load(k.normals, i + face * k.elements);
  const auto ny = w.load(k.normals, i + (face + kFaces) * k.elements);
  const auto nz = w.load(k.normals, i + (face + 2 * kFaces) * k.elements);
  f.normal = w.compute(1, lanewise(vector, nx, ny, nz));
  f.area = w.sfu(1, lanewise(length, f.normal));
  return f;
}

/// Flux through a face between two elements: gathers the other element.
void inner_face(Warp& w, const Data& k, const Side& own, const Face& face, Changes& changes) {
  const auto average = [](const auto&... a) { return through(a...); };
  w.alu(3);
  const auto density = w.load(k.variables, face.other);
  const auto mx = w.load(k.variables, face.other + k.elements);
  const auto my = w.load(k.variables, face.other + 2 * k.elements);
  const auto mz = w.load(k.variables, face.other + 3 * k.elements);
  const auto energy = w.load(k.variables, face.other + 4 * k.elements);
  const auto momentum = w.compute(1, lanewise(vector, mx, my, mz));
  const auto velocity = w.sfu(3, lanewise(velocity_of, momentum, density));
  const auto speed = w.sfu(1, lanewise(length, velocity));
  const auto pressure = w.compute(10, lanewise(pressure_of, density, energy, speed));
  const auto sound = w.sfu(2, lanewise(sound_of, density, pressure));
  const auto pace = w.compute(3, own.speed + speed + own.sound + sound);
  const auto viscosity = w.compute(3, lanewise(viscosity_of, face.area, pace));
  w.update(changes.density, 2, changes.density + viscosity * (own.density - density));
  w.update(changes.energy, 2, changes.energy + viscosity * (own.energy - energy));
  const auto difference = w.compute(3, own.momentum - momentum);
  w.update(changes.momentum, 3, changes.momentum + lanewise(scaled, viscosity, difference));
  const auto mass = w.compute(9, lanewise(average, face.normal, own.momentum, momentum));
  w.update(changes.density, 1, changes.density + mass);
  const auto energy_flux = w.compute(6, lanewise(energy_flux_of, velocity, energy, pressure));
  const auto power = w.compute(9, lanewise(average, face.normal, own.energy_flux, energy_flux));
  w.update(changes.energy, 1, changes.energy + power);
  const auto momentum_flux = w.compute(13, lanewise(momentum_flux_of, velocity, momentum, pressure));
  const auto force = w.compute(20, lanewise(average, face.normal, own.momentum_flux, momentum_flux));
  w.update(changes.momentum, 3, changes.momentum + force);
}

void wing_face(Warp& w, const Side& own, const Face& face, Changes& changes) {
  const auto force = w.compute(3, lanewise(scaled, own.pressure, face.normal));
  w.update(changes.momentum, 3, changes.momentum + force);
}

void far_field_face(Warp& w, const Side& own, const Face& face, Changes& changes) {
  const FarField far;
  const auto average = [](const auto& there) { return [there](const auto&... a) { return through(a..., there); }; };
  const auto mass = w.compute(9, lanewise(average(far.state.momentum), face.normal, own.momentum));
  w.update(changes.density, 1, changes.density + mass);
  const auto power = w.compute(9, lanewise(average(far.energy_flux), face.normal, own.energy_flux));
  w.update(changes.energy, 1, changes.energy + power);
  const auto force = w.compute(17, lanewise(average(far.momentum_flux), face.normal, own.momentum_flux));
  w.update(changes.momentum, 3, changes.momentum + force);
}

void flux(Warp& w, const Data& k) {
  const auto i = w.global_x();
  const int n = k.elements;
  w.alu(10);
  const Side own = own_side(w, k, i);
  Changes changes;
  for (const int number : w.trips(kFaces)) {
    w.alu(2);
    const Face face = face_of(w, k, i, number);
    const auto inner = [&] { inner_face(w, k, own, face, changes); };
    const auto wing = [&] { wing_face(w, own, face, changes); };
    const auto far_field = [&] { far_field_face(w, own, face, changes); };
    const auto outer = [&] { w.where(face.other == TetraElement::kWing, wing, far_field); };
    w.where(face.other >= 0, inner, outer);
  }
  w.store(k.fluxes, i, changes.density);
  w.store(k.fluxes, i + n, lanewise([](const Float3& a) { return a.x; }, changes.momentum));
  w.store(k.fluxes, i + 2 * n, lanewise([](const Float3& a) { return a.y; }, changes.momentum));
  w.store(k.fluxes, i + 3 * n, lanewise([](const Float3& a) { return a.z; }, changes.momentum));
  w.store(k.fluxes, i + 4 * n, changes.energy);
}

void time_step(Warp& w, const Data& k, int stage) {
  const auto i = w.global_x();
  w.alu(8);
  const auto step = w.load(k.step_factors, i);
  const auto factor = w.sfu(1, step / static_cast<float>(kStages + 1 - stage));
  for (const int v : w.trips(kVariables)) {
    const auto at = i + v * k.elements;
    const auto old = w.load(k.old_variables, at);
    const auto change = w.load(k.fluxes, at);
    const auto value = w.compute(7, old + factor * change);
    w.store(k.variables, at, value);
  }
}

class Cfd final : public Workload {
 public:
  Cfd(const Arguments& arguments, Memory& memory, std::uint64_t seed)
      : iterations_(arguments("iterations")),
        stages_(arguments("stages")),
        mesh_(tetra_mesh(arguments("nx"), arguments("ny"), arguments("nz"), arguments("window"), seed)) {
    auto& d = data_;
    d.elements = int(ctas_for(std::int64_t(mesh_.size()), kThreads)) * kThreads;
    const auto planes = [&](const char* name, int count) {
      return memory.array<float>(name, std::uint64_t(count) * std::uint64_t(d.elements));
    };
    d.areas = planes("areas", 1), d.normals = planes("normals", 3 * kFaces), d.step_factors = planes("step_factors", 1);
    d.neighbours = memory.array<std::int32_t>("elements_surrounding_elements", std::uint64_t(kFaces) * std::uint64_t(d.elements));
    d.variables = planes("variables", kVariables), d.old_variables = planes("old_variables", kVariables);
    d.fluxes = planes("fluxes", kVariables);
    // The padding of the last CTA has no area, and so no flux.
    TetraElement filler{};
    filler.neighbours.fill(TetraElement::kFarField);
    mesh_.resize(std::size_t(d.elements), filler);
    for (int i = 0; i < d.elements; ++i) fill(i);
    const std::pair<const char*, Array<float>> initialized[] = {
        {"cfd_init_variables", d.variables}, {"cfd_init_old_variables", d.old_variables}, {"cfd_init_fluxes", d.fluxes}};
    for (const auto& [name, array] : initialized) {
      add(name, 8, [array = array, n = d.elements](Warp& w) { initialize(w, array, n); });
    }
    for (int iteration = 0; iteration < iterations_; ++iteration) {
      add(kFirstOfIteration, 20, [d](Warp& w) { step_factor(w, d); });
      for (int stage = 1; stage <= stages_; ++stage) {
        add("cfd_flux", 60, [d](Warp& w) { flux(w, d); });
        add("cfd_time_step", 26, [d, stage](Warp& w) { time_step(w, d, stage); });
      }
    }
  }

  const Kernel* next() override {
    const Kernel* const kernel = Workload::next();
    // The program's copy from device to device by the host.
    if (kernel != nullptr && kernel->launch.name == kFirstOfIteration) {
      std::copy_n(data_.variables.data, data_.variables.size, data_.old_variables.data);
    }
    return kernel;
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<State> now(mesh_.size(), FarField().state), old, changes(now);
    std::vector<float> factors(now.size());
    for (int iteration = 0; iteration < iterations_; ++iteration) {
      old = now;
      for (std::size_t i = 0; i < now.size(); ++i) {
        const Flow f(now[i]);
        factors[i] = 0.5f / (std::sqrt(d.areas[i]) * (f.speed + f.sound));
      }
      for (int stage = 1; stage <= stages_; ++stage) {
        for (std::size_t i = 0; i < now.size(); ++i) changes[i] = change_of(now, i);
        for (std::size_t i = 0; i < now.size(); ++i) {
          const float factor = factors[i] / static_cast<float>(kStages + 1 - stage);
          const State& c = changes[i];
          now[i] = {old[i].density + factor * c.density, old[i].momentum + factor * c.momentum, old[i].energy + factor * c.energy};
        }
      }
    }
    return equal("step_factors", d.step_factors, factors, why) && equal("fluxes", d.fluxes, planes_of(changes), why) &&
           equal("variables", d.variables, planes_of(now), why);
  }

 private:
  static constexpr const char* kFirstOfIteration = "cfd_step_factor";

  void add(const std::string& name, std::uint32_t registers, std::function<void(Warp&)> program) {
    add_launch(name, {ctas_for(data_.elements, kThreads)}, {kThreads}, registers, std::move(program));
  }

  void fill(int i) {
    auto& d = data_;
    const TetraElement& element = mesh_[std::size_t(i)];
    d.areas.data[i] = 1.0f;
    for (int face = 0; face < kFaces; ++face) {
      d.neighbours.data[i + face * d.elements] = element.neighbours[std::size_t(face)];
      for (int axis = 0; axis < 3; ++axis) {
        d.normals.data[i + (face + kFaces * axis) * d.elements] = element.normals[std::size_t(face)][std::size_t(axis)];
      }
    }
  }

  /// A state and the quantities derived from it.
  struct Flow : State {
    Float3 velocity = velocity_of(momentum, density);
    float speed = length(velocity), pressure = pressure_of(density, energy, speed), sound = sound_of(density, pressure);
    Tensor momentum_flux = momentum_flux_of(velocity, momentum, pressure);
    Float3 energy_flux = energy_flux_of(velocity, energy, pressure);
    explicit Flow(const State& state) : State(state) {}
  };

  State change_of(const std::vector<State>& states, std::size_t i) const {
    const Flow own(states[i]);
    const FarField far;
    State change{};
    for (std::size_t face = 0; face < kFaces; ++face) {
      const auto& n = mesh_[i].normals[face];
      const Float3 normal{n[0], n[1], n[2]};
      const std::int32_t other = mesh_[i].neighbours[face];
      if (other == TetraElement::kWing) {
        change.momentum = change.momentum + own.pressure * normal;
      } else if (other == TetraElement::kFarField) {
        change.density += through(normal, own.momentum, far.state.momentum);
        change.energy += through(normal, own.energy_flux, far.energy_flux);
        change.momentum = change.momentum + through(normal, own.momentum_flux, far.momentum_flux);
      } else {
        const Flow there(states[std::size_t(other)]);
        const float viscosity = viscosity_of(length(normal), own.speed + there.speed + own.sound + there.sound);
        change.density += viscosity * (own.density - there.density);
        change.energy += viscosity * (own.energy - there.energy);
        change.momentum = change.momentum + viscosity * (own.momentum - there.momentum);
        change.density += through(normal, own.momentum, there.momentum);
        change.energy += through(normal, own.energy_flux, there.energy_flux);
        change.momentum = change.momentum + through(normal, own.momentum_flux, there.momentum_flux);
      }
    }
    return change;
  }

  static std::vector<float> planes_of(const std::vector<State>& states) {
    std::vector<float> planes;
    planes.reserve(kVariables * states.size());
    for (const State& s : states) planes.push_back(s.density);
    for (const State& s : states) planes.push_back(s.momentum.x);
    for (const State& s : states) planes.push_back(s.momentum.y);
    for (const State& s : states) planes.push_back(s.momentum.z);
    for (const State& s : states) planes.push_back(s.energy);
    return planes;
  }

  int iterations_, stages_;
  std::vector<TetraElement> mesh_;
  Data data_{};
};

}  // namespace
}  // namespace cfd

Entry cfd_entry() {
  return {{"cfd",
           "compressible flow over tetrahedra (Rodinia euler3d): streaming and gathers with the locality of a mesh",
           {{"nx", "25", 1, 64, "cubes in x, of six elements each"},
            {"ny", "26", 1, 64, "cubes in y"},
            {"nz", "25", 1, 64, "cubes in z"},
            {"window", "512", 0, 1 << 21, "elements inside which the numbers are shuffled, 0: not at all"},
            {"iterations", "1", 1, 2000, "iterations"},
            {"stages", "3", 1, 3, "Runge-Kutta stages of an iteration"}},
           {},
           {{"tiny", {{"nx", 8}, {"ny", 6}, {"nz", 4}}},
            {"std", {{"nx", 14}, {"ny", 15}, {"nz", 20}}},
            {"paper", {{"nx", 25}, {"ny", 26}, {"nz", 25}}},
            {"llc", {{"nx", 25}, {"ny", 26}, {"nz", 25}, {"stages", 1}}}}},
          make_workload<cfd::Cfd>};
}

}  // namespace wharf::spmd
