// A server whose workers take orders, with a console to attach to.
//
//     swift run --package-path Examples/OrderServer OrderServer orders.sqlite /tmp/orders/console
//     perilune attach /tmp/orders/console

import Foundation
import PeriluneConsole
import PeriluneKit
import Synchronization

/// What takes orders, one at each tick, until it is paused.
final class Worker: ConsoleObject {
  let name: String
  private let state = Mutex((isPaused: false, count: 0))

  init(_ name: String) { self.name = name }

  var isPaused: Bool { state.withLock { $0.isPaused } }
  var count: Int { state.withLock { $0.count } }
  func pause() { state.withLock { $0.isPaused = true } }
  func resume() { state.withLock { $0.isPaused = false } }
  func note() { state.withLock { $0.count += 1 } }
}

enum ServerError: Error, LocalizedError {
  case noWorker(String)

  var errorDescription: String? {
    switch self {
    case .noWorker(let name): "there is no worker '\(name)'"
    }
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  print("usage: OrderServer STORE SOCKET")
  exit(64)
}
let container = try PersistentContainer(arguments[1], for: OrdersSchema.self)
let workers = [Worker("ada"), Worker("bob")]

let console = Console(container)
try console.type(Worker.self) {
  try $0.field("name", "The name of the worker.") { $0.name }
  try $0.field("count", "How many orders it has taken.") { $0.count }
  try $0.method("resume", "resume()", "Lets the worker go on.") { $0.resume() }
}
try console.define("worker", "worker(name) -> Worker", "Finds a worker.") { (name: String) in
  guard let found = workers.first(where: { $0.name == name }) else { throw ServerError.noWorker(name) }
  return found
}
try console.define("pause", "pause(worker)", "Pauses a worker.") { (worker: Worker) in worker.pause() }
let listener = try console.listen(on: .socket(arguments[2]), access: .full)
print("attach with: perilune attach \(arguments[2])")

let context = container.viewContext
context.transactionAuthor = "server"
var number = try context.fetchCount(FetchDescriptor<Order>())
while true {
  for worker in workers where !worker.isPaused {
    number += 1
    let order = Order(context: context)
    (order.number, order.total, order.worker) = (number, Double(number % 50), worker.name)
    worker.note()
  }
  try context.save()
  Thread.sleep(forTimeInterval: 0.05)
}
