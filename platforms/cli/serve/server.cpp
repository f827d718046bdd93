#include "platforms/cli/serve/server.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "model/base/error.h"
#include "platforms/cli/serve/space_schema.h"

namespace wharf::cli {
namespace {

Json answer_to(const Json& id, Json content) {
  Json answer = {{"id", id}};
  answer.update(content);
  return answer;
}

}  // namespace

bool Server::serve_standard_streams() {
  clients_.push_back(Client::standard_streams());
  return loop(nullptr);
}

void Server::serve(UnixSocket& socket) { loop(&socket); }

bool Server::loop(UnixSocket* socket) {
  while (socket != nullptr || !clients_.empty()) {
    start_waiting();
    wait_for_events(socket);
    if (InterruptGuard::requested()) {
      stop_runs();
      return false;
    }
    drop_disconnected_clients();
  }
  return true;
}

void Server::wait_for_events(UnixSocket* socket) {
  std::vector<pollfd> polled;
  for (const Client& client : clients_) client.add_to(polled);
  for (const Run& run : runs_)
    if (run.process) polled.push_back({run.process->descriptor(), POLLIN, 0});
  const bool accepts = socket != nullptr && clients_.size() < kMostClients;
  if (accepts) polled.push_back({socket->descriptor(), POLLIN, 0});
  sigset_t none;
  sigemptyset(&none);
  if (ppoll(polled.data(), polled.size(), nullptr, &none) < 0) return;

  // Answers before requests: a run that has ended leaves its id to the next.
  const pollfd* next = polled.data();
  std::vector<Client*> readable;
  for (Client& client : clients_)
    if (client.take_events(next)) readable.push_back(&client);
  for (auto run = runs_.begin(); run != runs_.end();) {
    const auto present = run++;
    if (present->process && (next++)->revents != 0) forward_answers(present);
  }
  for (Client* client : readable)
    for (const Line& line : client->read()) handle(*client, line);
  for (Client& client : clients_) client.write();
  if (accepts && next->revents != 0) {
    if (std::optional<int> connection = socket->accept()) clients_.push_back(Client::of_connection(*connection));
  }
}

void Server::handle(Client& client, const Line& line) {
  Json id;  // null until the request has one that is its own
  try {
    if (line.too_long) throw BadRequest(fmt::format("the line is longer than {} bytes", kLongestLine));
    const Json object = parse_line(line.text);
    if (find(client, object["id"]) != runs_.end())
      throw BadRequest(fmt::format("the id {} belongs to an open run; choose another", object["id"].dump()));
    id = object["id"];
    obey(client, id, parse_request(object));
  } catch (const BadRequest& error) {
    client.send(answer_to(id, error_json("bad_request", error.what())));
  } catch (const InputError& error) {
    client.send(answer_to(id, error_json("bad_input", error.what())));
  }
}

void Server::obey(Client& client, const Json& id, const Request& request) {
  if (const auto* describe = std::get_if<DescribeRequest>(&request)) {
    client.send(answer_to(id, {{"result", space_schema(describe->config)}}));
  } else if (const auto* cancelled = std::get_if<CancelRequest>(&request)) {
    cancel(client, id, cancelled->run);
  } else {
    if (open_runs(client) >= kMostOpenRuns) throw BadRequest(fmt::format("{} runs are open; wait for some of them", kMostOpenRuns));
    runs_.push_back({&client, id, std::get<RunRequest>(request).spec, nullptr});
  }
}

void Server::cancel(Client& client, const Json& id, const Json& run) {
  const auto found = find(client, run);
  if (found == runs_.end()) throw BadRequest(fmt::format("there is no open run with the id {}", run.dump()));
  client.send(answer_to(found->id, error_json("cancelled", "the run was cancelled")));
  runs_.erase(found);
  client.send(answer_to(id, {{"result", {{"cancelled", run}}}}));
}

void Server::forward_answers(Runs::iterator run) {
  for (Json& answer : run->process->read()) {
    const bool progress = answer.contains("progress");
    answer = answer_to(run->id, std::move(answer));
    if (progress) {
      run->client->send_progress(answer);
      continue;
    }
    run->client->send(answer);
    runs_.erase(run);
    return;
  }
}

void Server::start_waiting() {
  auto running = static_cast<std::size_t>(std::count_if(runs_.begin(), runs_.end(), [](const Run& run) { return run.process != nullptr; }));
  for (; running < jobs_; ++running) {
    // The least recently served client is next, so that no client waits for all runs of another.
    auto next = runs_.end();
    for (auto run = runs_.begin(); run != runs_.end(); ++run)
      if (!run->process && (next == runs_.end() || last_turns_[run->client] < last_turns_[next->client])) next = run;
    if (next == runs_.end()) return;
    last_turns_[next->client] = ++turns_;
    try {
      next->process = std::make_unique<RunProcess>(next->spec, store_);
    } catch (const InputError& error) {
      next->client->send(answer_to(next->id, error_json("crashed", error.what())));
      runs_.erase(next);
    }
  }
}

void Server::drop_disconnected_clients() {
  for (auto client = clients_.begin(); client != clients_.end();) {
    const bool done = client->at_end() && client->all_written() && open_runs(*client) == 0;
    if (!client->gone() && !done) {
      ++client;
      continue;
    }
    runs_.remove_if([&](const Run& run) { return run.client == &*client; });
    last_turns_.erase(&*client);
    client = clients_.erase(client);
  }
}

void Server::stop_runs() {
  for (const Run& run : runs_) run.client->send(answer_to(run.id, error_json("cancelled", "the server was stopped")));
  runs_.clear();
  std::vector<pollfd> polled;
  for (const Client& client : clients_) client.add_to(polled);
  poll(polled.data(), polled.size(), 0);
  const pollfd* next = polled.data();
  for (Client& client : clients_) {
    client.take_events(next);
    client.write();
  }
}

Server::Runs::iterator Server::find(const Client& client, const Json& id) {
  return std::find_if(runs_.begin(), runs_.end(), [&](const Run& run) { return run.client == &client && run.id == id; });
}

std::size_t Server::open_runs(const Client& client) const {
  return static_cast<std::size_t>(std::count_if(runs_.begin(), runs_.end(), [&](const Run& run) { return run.client == &client; }));
}

}  // namespace wharf::cli
