// How long the saves of a program take; with a script that runs without end at its console, or alone.
//
//     console-host FOLDER [PERILUNE 'while true do end']
//
// Says the median and the slowest hundredth, in seconds.

import Foundation
import PeriluneConsole
import PeriluneKit

final class Order: ManagedObject {
  var number: Int {
    get { self["number"] }
    set { self["number"] = newValue }
  }
  override class var entityName: String { "Order" }
  override class var propertyNames: PropertyNames { names }
  private static let names = PropertyNames { $0.add("number", \Order.number) }
}

enum OrdersSchema: ModelSchema {
  static let classes: [ManagedObject.Type] = [Order.self]
  static let model =
    #"{"entities":[{"name":"Order","properties":[{"name":"number","optional":false,"type":"Integer64"}]}],"version":1}"#
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 1 || arguments.count == 3 else {
  print("usage: console-host FOLDER [PERILUNE SCRIPT]")
  exit(64)
}
let container = try PersistentContainer(arguments[0] + "/orders.sqlite", for: OrdersSchema.self)
let context = container.viewContext
var limits = ConsoleLimits()
limits.seconds = 3600
let console = Console(container)
let socket = arguments[0] + "/run/console"
let listener = try console.listen(on: .socket(socket), access: .full, limits: limits)

/// The seconds of so many saves, a millisecond apart.
@MainActor func save(_ count: Int) throws -> [Double] {
  try (0..<count).map { number in
    let start = ContinuousClock.now
    Order(context: context).number = number
    try context.save()
    defer { Thread.sleep(forTimeInterval: 0.001) }
    return start.duration(to: .now) / .seconds(1)
  }
}

_ = try save(500)
let client = Process()
if arguments.count == 3 {
  let input = Pipe()
  client.executableURL = URL(filePath: arguments[1])
  client.arguments = ["attach", socket]
  client.standardInput = input
  try client.run()
  try input.fileHandleForWriting.write(contentsOf: Data(arguments[2].utf8))
  try input.fileHandleForWriting.close()
  while listener.clientCount == 0 { Thread.sleep(forTimeInterval: 0.01) }
  Thread.sleep(forTimeInterval: 0.2)
}
FileHandle.standardError.write(Data("begin\n".utf8))
let times = try save(2000).sorted()
FileHandle.standardError.write(Data("end p50=\(times[1000]) p99=\(times[1980])\n".utf8))
if client.isRunning { client.terminate() }
listener.close()
