// A program that pauses at two lines, at its terminal.
//
//     PausingProgram orders.sqlite

import PeriluneConsole
import PeriluneConsoleTerminal
import PeriluneKit

let container = try PersistentContainer(CommandLine.arguments[1], for: OrdersSchema.self)
let order = Order(context: container.viewContext)
(order.number, order.total) = (1, 10)
try container.viewContext.save()

let console = Console(container)
console.useTerminal()
try console.define("twice", "twice(n) -> number", "Doubles a number.") { (n: Int) in 2 * n }
try console.pause("why is this late", ["order": order, "limit": 3])
print("goes on with \(order.total)")
try console.pause("once more")
print("is done")
