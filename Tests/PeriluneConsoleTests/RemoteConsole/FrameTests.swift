import Modeling
import RemoteConsole
import Testing

/// Messages come out of bytes as they went in, in pieces of any size.
@Suite struct FrameTests {
  static let requests: [ClientRequest] = {
    var hello = ClientRequest.Hello()
    (hello.isInteractive, hello.width, hello.hasColours, hello.mode) = (true, 80, true, "json")
    (hello.height, hello.showsScreens) = (24, true)
    (hello.tokens, hello.reason) = (["abc", "def"], "order 7 is late")
    return [
      .hello(hello), .evaluate(id: 1, "print 'é'\n"), .complete(id: 2, "Ord", offset: 3), .isComplete(id: 3, ""),
      .arguments(id: 4, "f("), .colours(id: 5, "x", offset: 1), .save(id: 6), .interrupt,
      .resize(width: 100, height: 30), .resize(width: 100, height: nil), .keys([0, 27, 255]), .answer(true),
      .leave,
    ]
  }()

  static let events: [ServerEvent] = {
    var ending = ServerEvent.Ending(status: 3, prompt: "shop*1", unsavedCount: 1)
    (ending.rowCount, ending.hasExited) = (7, true)
    var welcome = ServerEvent.Welcome(banner: "shop", prompt: "shop")
    welcome.token = "abc"
    return [
      .welcome(welcome), .welcome(ServerEvent.Welcome(banner: "shop", prompt: "shop")), .refused("no"), .reasonAsked,
      .text("\u{1B}[1m", isMessage: true),
      .screen(ScreenContent([.init("\u{1B}[1ma", width: 1), .init("", width: 0)], cursor: (1, 2))),
      .screen(ScreenContent([], cursor: nil)), .screenEnd([113]),
      .question("really"), .end(id: 9, ending), .reply(id: 1, .array([.null])),
    ]
  }()

  @Test(arguments: 1...7) func messagesSurviveTheirWay(size: Int) throws {
    let messages = Self.requests.map(\.message) + Self.events.map(\.message)
    let bytes = messages.flatMap(Frame.bytes)
    var reader = FrameReader()
    var read: [JSON] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { reader.append($0) }
      while let message = try reader.next() { read.append(message) }
    }
    #expect(read == messages)
    #expect(read.prefix(Self.requests.count).map(ClientRequest.init) == Self.requests)
    #expect(read.dropFirst(Self.requests.count).map(ServerEvent.init) == Self.events)
  }

  @Test func aPlaceOutsideItsTextIsTheEnd() {
    #expect(
      ClientRequest(.object(["do": .string("complete"), "id": .int(1), "text": .string("ab"), "offset": .int(99)]))
        == .complete(id: 1, "ab", offset: 2))
  }
}
