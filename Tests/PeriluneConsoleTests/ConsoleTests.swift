import Foundation
import PeriluneConsole
import PeriluneKit
import TestSupport
import Testing

/// Scripts and their program work on the same objects.
@Suite struct ConsoleTests {
  @Test func aScriptReadsTheStoreOfTheProgram() throws {
    let workshop = try Workshop()
    #expect(try workshop.console.evaluate("Order:count()").value(as: Int.self) == 3)
    let answer = try workshop.console.evaluate(#"print("shown") return Order:where("total > 15"):sorted("number")"#)
    #expect(answer.text.hasPrefix("shown\n"))
    #expect(answer.text.contains("20") && answer.text.contains("30") && !answer.text.contains("10.0"))
    #expect(try answer.value(as: [Order].self).map(\.number) == [2, 3])
  }

  @Test func anObjectIsTheSameOnBothSides() throws {
    let workshop = try Workshop()
    let order = try #require(try workshop.orders.first)
    order.total = 99
    #expect(try workshop.console.evaluate("order.total", ["order": order]).value(as: Double.self) == 99)
    let found = try workshop.console.evaluate(#"Order:where("number == 1"):first()"#).value(as: Order.self)
    #expect(found === order)
    _ = try workshop.console.evaluate("order.total = 7", ["order": order])
    #expect(order.total == 7 && order.isUpdated)
    #expect(workshop.container.viewContext.hasChanges)
  }

  @Test func aStoreInMemoryIsShared() throws {
    let workshop = try Workshop(inMemory: true)
    _ = try workshop.console.evaluate("Order { number = 4, total = 1 } save()")
    #expect(try workshop.orders.count == 4)
  }

  @Test func eachSideNoticesWhatTheOtherSaves() throws {
    let workshop = try Workshop()
    let observer = ResultsObserver(FetchDescriptor<Order>(), modelContext: workshop.container.viewContext)
    #expect(observer.results.count == 3)
    _ = try workshop.console.evaluate(
      #"seen = 0 Order:on("insert", function() seen = seen + 1 end) Order { number = 4, total = 1 } save()"#)
    #expect(observer.results.count == 4)
    let order = Order(context: workshop.container.viewContext)
    (order.number, order.total) = (5, 5)
    try workshop.container.viewContext.save()
    #expect(try workshop.console.evaluate("seen").value(as: Int.self) == 2)
  }

  @Test func aClosedConsoleLeavesTheStoreAsItIs() throws {
    let workshop = try Workshop()
    let order = try #require(try workshop.orders.first)
    order.total = 5
    _ = try workshop.console.evaluate("kept = Order:fetch() return #kept")
    workshop.console.close()
    #expect(order.total == 5 && workshop.container.viewContext.hasChanges)
    try workshop.container.viewContext.save()
    #expect(try workshop.orders.map(\.total) == [5, 20, 30])
    #expect(try workshop.console.evaluate("Order:count()").value(as: Int.self) == 3)
  }

  @Test func aScriptCannotCloseTheStore() throws {
    let workshop = try Workshop()
    #expect(
      workshop.failure("store:close()")?.message == "store:close: the store belongs to the program, which closes it")
    #expect(try workshop.orders.count == 3)
  }

  @Test func aScriptReachesNothingButTheStore() throws {
    let workshop = try Workshop()
    for script in [
      #"io.open("/etc/passwd")"#, #"os.execute("true")"#, #"open("/tmp/other.sqlite", { create = true })"#,
      #"store:sql "ATTACH '/tmp/other.sqlite' AS other""#, #"store:backup "/tmp/copy.sqlite""#,
      #"export(Order, "/tmp/orders.csv")"#, #"load("\27Lua")()"#, "debug.getregistry()",
    ] {
      #expect(workshop.failure(script) != nil, "\(script)")
    }
  }

  @Test func aLimitStopsAScriptAndLeavesTheProgramAlone() throws {
    var limits = ConsoleLimits()
    limits.seconds = 0.2
    limits.memory = 32 << 20
    let workshop = try Workshop(limits: limits)
    #expect(workshop.failure("while true do end")?.wasStopped == true)
    #expect(workshop.failure("while true do pcall(error) end")?.wasStopped == true)
    let memory = workshop.failure(#"local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1e6) .. i end"#)
    #expect(memory?.message.contains("memory") == true)
    #expect(try workshop.console.evaluate("1 + 1").value(as: Int.self) == 2)
    #expect(try workshop.orders.count == 3)
  }

  @Test func aMistakeHasItsPlace() throws {
    let workshop = try Workshop()
    let failure = workshop.failure("local a = 1\nreturn Order:where(\"totl > 1\"):count()")
    #expect(failure?.line == 2)
    #expect(failure?.message.contains("did you mean 'total'?") == true)
    let mistakes = try workshop.console.validate("local n = Ordr:count()\nOrder:where(\"totl > 1\")")
    #expect(mistakes.map(\.line) == [1, 2])
    #expect(mistakes.first?.message == "there is no 'Ordr'; did you mean 'Order'?")
    #expect(try workshop.console.validate("return Order:count()").isEmpty)
  }

  @Test func valuesAreNamesOfOneScript() throws {
    let workshop = try Workshop()
    #expect(try workshop.console.evaluate("limit * 2", ["limit": 21]).value(as: Int.self) == 42)
    #expect(try workshop.console.evaluate("limit").value(as: Int?.self) == nil)
    #expect(workshop.failure("1", ["print": 1])?.message == "'print' is the name of something else")
    #expect(workshop.failure("1", ["not a name": 1])?.message == "'not a name' is not a name of Lua")
  }

  @Test func completionKnowsTheModel() throws {
    let workshop = try Workshop()
    #expect(try workshop.console.completions(of: "Ord", at: 3).contains("Order"))
    let script = #"Order:where("tot"#
    #expect(try workshop.console.completions(of: script, at: script.utf8.count).contains("total"))
  }
}
