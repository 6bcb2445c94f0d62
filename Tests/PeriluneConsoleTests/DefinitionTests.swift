import Foundation
import PeriluneConsole
import PeriluneKit
import Testing

/// Functions and types of a program in scripts.
@Suite struct DefinitionTests {
  struct Job: Codable, ConsoleValue, Equatable {
    var name: String
    var priority: Int
    var due: Date?
  }

  let workshop: Workshop
  var console: Console { workshop.console }

  init() throws { workshop = try Workshop() }

  @Test func valuesOfEveryTypeGoBothWays() throws {
    let (id, day) = (UUID(), Date(timeIntervalSince1970: 1_000_000.5))
    try console.define("whole", "whole(n)", "") { (n: Int) in n }
    try console.define("number", "number(n)", "") { (n: Double) in n }
    try console.define("text", "text(s)", "") { (s: String) in s }
    try console.define("flag", "flag(b)", "") { (b: Bool) in b }
    try console.define("date", "date(d)", "") { (d: Date) in d }
    try console.define("bytes", "bytes(s)", "") { (s: Data) in s }
    try console.define("identity", "identity(id)", "") { (id: UUID) in id }
    try console.define("list", "list(l)", "") { (l: [String]) in l }
    try console.define("fields", "fields(t)", "") { (t: [String: [Int]]) in t }
    try console.define("maybe", "maybe([n])", "") { (n: Int?) in n.map { $0 + 1 } }
    try console.define("job", "job(t)", "") { (job: Job) in job }
    try console.define("orders", "orders(l)", "") { (orders: [Order]) in orders }
    #expect(try console.evaluate("whole(3.0)").value(as: Int.self) == 3)
    #expect(try console.evaluate("number(3)").value(as: Double.self) == 3)
    #expect(try console.evaluate("text 'é'").value(as: String.self) == "é")
    #expect(try console.evaluate("flag(false)").value(as: Bool.self) == false)
    #expect(try console.evaluate("date(day)", ["day": day]).value(as: Date.self) == day)
    #expect(try console.evaluate("bytes '\\0\\255'").value(as: Data.self) == Data([0, 255]))
    #expect(try console.evaluate("identity(id)", ["id": id]).value(as: UUID.self) == id)
    #expect(try console.evaluate("list { 'a', 'b' }").value(as: [String].self) == ["a", "b"])
    #expect(try console.evaluate("fields { a = { 1 } }").value(as: [String: [Int]].self) == ["a": [1]])
    #expect(try console.evaluate("maybe()").value(as: Int?.self) == nil)
    #expect(try console.evaluate("maybe(1)").value(as: Int?.self) == 2)
    let job = Job(name: "print", priority: 2, due: Date(timeIntervalSince1970: 60))
    #expect(try console.evaluate("job(given)", ["given": job]).value(as: Job.self) == job)
    #expect(try console.evaluate("job { name = 'x', priority = 1 }.name").value(as: String.self) == "x")
    #expect(try console.evaluate("#orders(Order:fetch())").value(as: Int.self) == 3)
    let order = try #require(try workshop.orders.first)
    #expect(try console.evaluate("orders { given }[1]", ["given": order]).value(as: Order.self) === order)
  }

  @Test(arguments: [
    ("greet()", "greet: name: expected a string, got no value"),
    ("greet(5)", "greet: name: expected a string, got 5"),
    ("greet(Order:first())", "greet: name: expected a string, got an Order"),
    ("greet('a', 'b')", "greet: expected 1 argument, got 2: greet(name) -> string"),
    ("total { 1, 'x' }", "total: numbers[2]: expected a number, got \"x\""),
    (
      "total { 1, nil, 3 }",
      "total: a table with both names and numbers, or with holes, is neither a list nor named fields"
    ),
    ("total(print)", "total: a function is nothing that a function of the program takes"),
    ("enqueue { name = 'x' }", "enqueue: job: expected a Job, got a table without 'priority'"),
    ("bill(Customer:first())", "bill: order: expected an Order, got a Customer"),
    ("whole(1.5)", "whole: n: expected an integer, got 1.5"),
  ])
  func aWrongArgumentIsOneSentence(script: String, message: String) throws {
    try console.define("greet", "greet(name) -> string", "Greets.") { (name: String) in "Hello \(name)" }
    try console.define("total", "total(numbers)", "Adds.") { (numbers: [Double]) in numbers.reduce(0, +) }
    try console.define("enqueue", "enqueue(job)", "Adds a job.") { (job: Job) in }
    try console.define("bill", "bill(order)", "Bills.") { (order: Order) in order.total }
    try console.define("whole", "whole(n)", "") { (n: Int) in n }
    #expect(workshop.failure(script)?.message == message)
  }

  @Test func noValueOfAScriptEndsTheProgram() throws {
    var limits = ConsoleLimits()
    limits.seconds = 600
    let workshop = try Workshop(limits: limits)
    let console = workshop.console
    try console.define("whole", "whole(n)", "") { (n: Int) in n }
    try console.define("number", "number(n)", "") { (n: Double) in n }
    try console.define("exact", "exact(n)", "") { (n: Decimal) in n }
    try console.define("text", "text(s)", "") { (s: String) in s }
    try console.define("bytes", "bytes(s)", "") { (s: Data) in s }
    try console.define("date", "date(d)", "") { (d: Date) in d }
    try console.define("identity", "identity(id)", "") { (id: UUID) in id }
    try console.define("list", "list(l)", "") { (l: [Double]) in l }
    try console.define("fields", "fields(t)", "") { (t: [String: [Int]]) in t }
    try console.define("job", "job(t)", "") { (job: Job) in job }
    try console.define("orders", "orders(l)", "") { (orders: [Order]) in orders }
    let count = try console.evaluate(
      #"""
      local deep, round = {}, {}
      for _ = 1, 20000 do deep = { deep } end
      round[1] = round
      local edges = {
        math.mininteger, math.maxinteger, 0, -1, 2^53, 0 / 0, math.huge, -math.huge, 1e300, 0.5, true, false, "",
        "\xff\xfe\0", ("é"):rep(100000), {}, deep, round, print, coroutine.create(print), Date(1e300), Date(-1e18),
        { [math.maxinteger] = 1, [-1] = 4 }, { name = 0 / 0, priority = 1e300 }, { name = "x", priority = 1.5 },
        Order, Order:all(), Order:first(), { Order:first(), Customer:first() }, store, Order:first().customer.orders,
      }
      local calls = 0
      for _, taker in ipairs { whole, number, exact, text, bytes, date, identity, list, fields, job, orders } do
        for _, edge in ipairs(edges) do
          pcall(taker, edge)
          pcall(taker, { edge })
          pcall(taker, { a = edge })
          calls = calls + 1
        end
      end
      return calls
      """#
    ).value(as: Int.self)
    #expect(count == 11 * 31)
  }

  @Test func anErrorKeepsItsWords() throws {
    try console.define("fail", "fail()", "Fails.") { () throws -> Int in throw WorkerError.stopped("w1") }
    #expect(workshop.failure("fail()")?.message == "worker w1 is stopped already")
    #expect(
      try console.evaluate("select(2, pcall(fail)).message").value(as: String.self) == "worker w1 is stopped already")
  }

  @Test func aDefinitionThatDoesNotFitIsRefused() throws {
    func message(_ body: () throws -> Void) -> String? {
      do { try body() } catch { return (error as? ConsoleError)?.message }
      return nil
    }
    #expect(
      message { try console.define("add", "add(a)", "") { (a: Int, b: Int) in a + b } }
        == "add: the signature \"add(a)\" names 1 parameter, and the function takes 2: expected one like \"add(value1, value2)\""
    )
    #expect(message { try console.define("a b", "a b()", "") { () in 1 } } == "'a b' is not a name of Lua")
    #expect(
      message { try console.define("Order", "Order()", "") { () in 1 } } == "Order: the name is that of something else")
    #expect(
      message { try console.define("print", "print()", "") { () in 1 } } == "print: the name is that of something else")
    #expect(
      message { try console.define("lock", "lock()", "") { () in NSLock() } }
        == "lock: a result of type NSLock is no ConsoleValue")
  }

  @Test func aTypeHasFieldsAndMethods() throws {
    let worker = Worker("w1")
    try console.type(Worker.self) {
      try $0.field("name", "The name.") { $0.name }
      try $0.field("isStopped", "Whether it was stopped.") { $0.isStopped }
      try $0.method("stop", "stop()", "Stops it.") { $0.stop() }
      try $0.method("pause", "pause(seconds) -> string", "Pauses it.") { (worker, seconds: Double) in
        try worker.pause(seconds)
      }
    }
    try console.define("worker", "worker() -> Worker", "The worker.") { () in worker }
    #expect(try console.evaluate("worker().name").value(as: String.self) == "w1")
    #expect(try console.evaluate("worker() == worker()").value(as: Bool.self))
    #expect(try console.evaluate("worker()").value(as: Worker.self) === worker)
    #expect(try console.evaluate("tostring(worker())").value(as: String.self) == "Worker w1")
    #expect(try console.evaluate("worker():pause(2)").value(as: String.self) == "w1 pauses 2.0 s")
    _ = try console.evaluate("worker():stop()")
    #expect(worker.isStopped)
    #expect(try console.evaluate("worker().isStopped").value(as: Bool.self))
    #expect(workshop.failure("worker():pause(1)")?.message == "worker w1 is stopped already")
    #expect(workshop.failure("worker():pause('x')")?.message == "Worker:pause: seconds: expected a number, got \"x\"")
    #expect(workshop.failure("worker().nam")?.message == "Worker has no 'nam'; did you mean 'name'?")
    #expect(workshop.failure("worker().name = 'x'")?.message.contains("name") == true)
  }

  @Test func helpCompletionAndTypesKnowTheProgram() throws {
    try console.type(Worker.self) { try $0.method("stop", "stop()", "Stops the worker.") { $0.stop() } }
    try console.define("worker", "worker(name) -> Worker", "Finds a worker.") { (name: String) in Worker(name) }
    #expect(try console.completions(of: "work", at: 4).contains { $0.hasPrefix("worker") })
    #expect(try console.completions(of: "worker('a'):s", at: 13).contains { $0.hasPrefix("stop") })
    #expect(try console.evaluate("help 'worker'").text.contains("Finds a worker."))
    let types = try console.annotations
    #expect(types.contains("---@class perilune.Worker\n---@field stop fun(self: perilune.Worker) Stops the worker."))
    #expect(types.contains("function worker(name)"))
    #expect(try console.validate("worker('a')").isEmpty)
  }
}
