import Foundation
import Glibc
import Modeling
import PeriluneConsole
import PeriluneKit
import RemoteConsole
import TestSupport
import Testing

/// Full screens of sessions are shown where the client is, and follow the store of the program.
@Suite struct ScreenTests {
  let workshop: Workshop
  let sockets: TemporaryFolder
  let listener: ConsoleListener
  var path: String { sockets.file("console") }

  init() throws {
    workshop = try Workshop()
    sockets = try TemporaryFolder(forSocketsOf: "screen")
    var limits = ConsoleLimits()
    limits.seconds = 60
    listener = try workshop.console.listen(on: .socket(sockets.file("console")), access: .full, limits: limits)
  }

  private func add(number: Int) throws {
    let order = Order(context: workshop.container.viewContext)
    (order.number, order.total) = (number, Double(number) * 10)
    try workshop.container.viewContext.save()
  }

  @Test func liveRowsFollowTheProgram() throws {
    let client = try Client.atScreen(of: path)
    client.begin("watch(Order:sorted('number'))")
    try client.screen(showing: "3 Order")
    try add(number: 4)
    let lines = try client.screen(showing: "4 Order")
    #expect(lines.count == 20 && lines.contains { $0.contains("40.0") }, "\(lines)")
    client.type("q")
    #expect(try client.end().status == 0)
    try client.run("Order:count()")
    #expect(client.text == "4\n")
  }

  @Test func keysSortFilterAndOpen() throws {
    let client = try Client.atScreen(of: path)
    client.begin("watch(Order)")
    try client.screen(showing: "3 Order")
    client.type("lls")
    try client.screen(showing: "sorted by")
    client.type("/number > 2\r")
    try client.screen(showing: "1 Order")
    client.type("\r")
    try client.screen(showing: "Esc back")
    client.type("xq")
    #expect(try client.end().status == 0)
  }

  @Test func aWalkLeavesItsRequest() throws {
    let client = try Client.atScreen(of: path)
    client.begin("browse(Order)")
    try client.screen(showing: "3 Order")
    client.type("q")
    #expect(try client.end().status == 0)
    #expect(client.messages.contains("_ = Order"), "\(client.messages)")
    try client.run("_:count()")
    #expect(client.text == "3\n")
  }

  @Test func aPlotIsAScreenToo() throws {
    let client = try Client.atScreen(of: path)
    client.begin("watch(Order:plot { x = 'number', y = 'total' })")
    try client.screen(showing: "q leave")
    client.type("q")
    #expect(try client.end().status == 0)
  }

  @Test func aScreenHasTheSizeOfTheWindow() throws {
    let client = try Client.atScreen(of: path)
    client.begin("watch(Order)")
    try client.screen(showing: "3 Order")
    for (width, height, rows) in [(100, 30, 30), (-1, .min, 1), (.max, .max, 200), (80, 24, 24)] {
      client.send(.resize(width: width, height: height))
      while try client.nextScreen().lines.count != rows {}
    }
    client.send(.interrupt)
    #expect(try client.end().status == 0)
  }

  @Test func theLimitIsNotThatOfAPersonWhoLooks() throws {
    var limits = ConsoleLimits()
    limits.seconds = 2
    let listener = try workshop.console.listen(on: .socket(sockets.file("other")), access: .readOnly, limits: limits)
    let client = try Client.atScreen(of: sockets.file("other"))
    client.begin("watch(Order)")
    try client.screen(showing: "3 Order")
    usleep(2_200_000)
    try add(number: 4)
    try client.screen(showing: "4 Order")
    client.type("q")
    #expect(try client.end().status == 0)
    listener.close()
  }

  @Test func aLostConnectionEndsTheScreenAndKeepsTheSession() throws {
    var client: Client? = try Client.atScreen(of: path)
    let token = try #require(client?.welcome?.token)
    try client?.run("kept = 5")
    client?.begin("watch(Order) kept = 6")
    try client?.screen(showing: "3 Order")
    client = nil
    let again = try Client.atScreen(of: path, tokens: [token])
    #expect(again.welcome?.token == token)
    try again.run("kept")
    #expect(again.text == "5\n")
  }

  @Test func otherRequestsWaitForNothingOnAScreen() throws {
    let client = try Client.atScreen(of: path)
    client.begin("watch(Order)")
    try client.screen(showing: "3 Order")
    client.send(.evaluate(id: 77, "Order:count()"))
    client.send(.save(id: 78))
    var refused: Set<Int64> = []
    while refused.count < 2 {
      if case .end(let id, let ending) = try client.next() {
        #expect(ending.status != 0)
        refused.insert(id)
      }
    }
    #expect(refused == [77, 78])
    #expect(try client.reply { .complete(id: $0, "Ord", offset: 3) } == .null)
    client.type("q")
    while true { if case .end(let id, let ending) = try client.next(), id == 1, ending.status == 0 { break } }
  }

  @Test func keysWithoutAScreenMeanNothing() throws {
    let client = try Client.atScreen(of: path)
    client.type("qqq")
    try client.run("Order:count()")
    #expect(client.text == "3\n" && client.screens.isEmpty)
  }

  @Test func aClientWithoutATerminalSeesRows() throws {
    let client = try Client.attached(to: path, isInteractive: true)
    try client.run("browse(Order)")
    #expect(client.text.contains("number") && client.screens.isEmpty)
  }

  @Test func keysThatNeverEndCutTheClientOff() throws {
    let client = try Client.atScreen(of: path)
    client.begin("watch(Order)")
    try client.screen(showing: "3 Order")
    client.send(.keys([UInt8](repeating: 0x1B, count: 100_000)))
    #expect(try client.refusal() == "too many keys wait")
    try expectEventually { listener.clientCount == 0 }
    let other = try Client.attached(to: path)
    try other.run("Order:count()")
    #expect(other.text == "3\n")
  }
}
