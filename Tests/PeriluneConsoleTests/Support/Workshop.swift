import Foundation
import PeriluneConsole
import PeriluneKit
import TestSupport

/// A program with a store of orders and a console over it.
struct Workshop {
  let folder: TemporaryFolder
  let container: PersistentContainer
  let console: Console

  /// A program whose store is a file, or in memory.
  init(inMemory: Bool = false, limits: ConsoleLimits = ConsoleLimits()) throws {
    folder = try TemporaryFolder()
    let path = inMemory ? ":memory:" : folder.file("orders.sqlite")
    container = try PersistentContainer(path, for: OrdersSchema.self)
    let customer = Customer(context: container.viewContext)
    customer.name = "Ada"
    for number in 1...3 {
      let order = Order(context: container.viewContext)
      (order.number, order.total, order.customer) = (number, Double(number) * 10, customer)
    }
    try container.viewContext.save()
    console = Console(container, limits: limits)
  }

  /// The orders by number.
  var orders: [Order] {
    get throws {
      try container.viewContext.fetch(FetchDescriptor<Order>(sortBy: [SortDescriptor(\.number)]))
    }
  }

  /// The message with which a script fails; nil if it does not.
  func failure(_ script: String, _ values: [String: any ConsoleValue] = [:]) -> ConsoleError? {
    do {
      _ = try console.evaluate(script, values)
      return nil
    } catch { return error as? ConsoleError }
  }
}

/// A worker of the program.
final class Worker: ConsoleObject, CustomStringConvertible {
  let name: String
  nonisolated(unsafe) private(set) var isStopped = false

  init(_ name: String) { self.name = name }

  func stop() { isStopped = true }

  func pause(_ seconds: Double) throws -> String {
    guard !isStopped else { throw WorkerError.stopped(name) }
    return "\(name) pauses \(seconds) s"
  }

  var description: String { "Worker \(name)" }
}

enum WorkerError: Error, LocalizedError {
  case stopped(String)

  var errorDescription: String? {
    switch self {
    case .stopped(let name): "worker \(name) is stopped already"
    }
  }
}
