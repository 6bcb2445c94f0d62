import Foundation
import Modeling
import TestSupport
import Testing

@testable import HTTP

/// What a server does with connections, over sockets.
@Suite struct HTTPServerTests {
  private func server(
    limits: HTTPLimits = .standard,
    _ answer: @escaping (HTTPRequest) -> HTTPResponse = { HTTPResponse(type: "text/plain", "/" + $0.path.joined()) }
  ) throws -> HTTPServer {
    try HTTPServer(try ListeningSocket(.port(0)), limits: limits, answer: answer)
  }

  @Test func aConnectionServesOneRequestAfterTheOther() throws {
    let client = try LoopbackClient(try server())
    let first = client.send(LoopbackClient.get("/a"))
    #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n") && first.hasSuffix("\r\n\r\n/a"))
    #expect(first.contains("Content-Length: 2\r\n") && first.contains("Connection: keep-alive\r\n"))
    let both = client.send(LoopbackClient.get("/b") + LoopbackClient.get("/c"))
    #expect(both.contains("\r\n\r\n/b") && both.hasSuffix("\r\n\r\n/c"))
    #expect(!client.isClosedByServer)
  }

  @Test func aConnectionEndsWhereTheClientAsksForIt() throws {
    let client = try LoopbackClient(try server())
    #expect(client.send(LoopbackClient.get("/a", "Connection: close\r\n")).hasSuffix("/a"))
    #expect(client.isClosedByServer)
  }

  @Test func aRefusedRequestEndsTheConnection() throws {
    let client = try LoopbackClient(try server())
    let answer = client.send("GET / HTTP/1.1\r\nHost : a\r\n\r\n" + LoopbackClient.get("/b"))
    #expect(answer.hasPrefix("HTTP/1.1 400 ") && !answer.contains("/b"))
    #expect(client.isClosedByServer)
  }

  @Test func headHasTheHeadersAlone() throws {
    let client = try LoopbackClient(try server())
    let answer = client.send("HEAD /abc HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(answer.contains("Content-Length: 4\r\n") && answer.hasSuffix("\r\n\r\n"))
  }

  @Test func aLargeBodyIsSentAsTheClientTakesIt() throws {
    let body = [UInt8](repeating: 120, count: 3 << 20)
    let client = try LoopbackClient(try server { _ in HTTPResponse(type: "a/b", .bytes(body)) })
    let answer = client.send(LoopbackClient.get("/"), turns: 400)
    #expect(answer.utf8.count > body.count && answer.hasSuffix("xxx"))
  }

  @Test func piecesAreChunks() throws {
    var pieces: [[UInt8]] = [Array("abc".utf8), [UInt8](repeating: 120, count: 20)]
    let client = try LoopbackClient(
      try server { _ in HTTPResponse(type: "a/b", .pieces { pieces.isEmpty ? nil : pieces.removeFirst() }) })
    let answer = client.send(LoopbackClient.get("/"))
    #expect(answer.contains("Transfer-Encoding: chunked\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n3\r\nabc\r\n14\r\nxxxxxxxxxxxxxxxxxxxx\r\n0\r\n\r\n"))
  }

  @Test func aFileWhoseMakingFailsEndsWithoutItsLastPiece() throws {
    struct Failure: Error {}
    var count = 0
    let client = try LoopbackClient(
      try server { _ in
        HTTPResponse(
          type: "a/b",
          .pieces {
            count += 1
            if count > 1 { throw Failure() }
            return [120]
          })
      })
    let answer = client.send(LoopbackClient.get("/"))
    #expect(answer.hasSuffix("1\r\nx\r\n") && client.isClosedByServer)
  }

  @Test func aStreamCarriesEvents() throws {
    let stream = EventStream()
    let server = try server { _ in HTTPResponse(type: "text/event-stream", .events(stream)) }
    let client = try LoopbackClient(server)
    #expect(client.send(LoopbackClient.get("/")).hasSuffix("\r\n\r\n"))
    stream.send("rows", "a\nb")
    client.turn()
    #expect(String(decoding: client.received, as: UTF8.self).hasSuffix("event: rows\ndata: a\ndata: b\n\n"))
    var hasEnded = false
    stream.onClose = { hasEnded = true }
    stream.close()
    client.turn()
    #expect(client.isClosedByServer && hasEnded && !stream.isOpen)
  }

  @Test func aStreamWhoseReaderSleepsIsClosed() throws {
    let stream = EventStream()
    let server = try server { _ in HTTPResponse(type: "text/event-stream", .events(stream)) }
    let client = try LoopbackClient(server)
    client.send(LoopbackClient.get("/"))
    let event = String(repeating: "x", count: 100_000)
    for _ in 0..<200 where stream.isOpen { stream.send("rows", event) }
    #expect(!stream.isOpen)
  }

  @Test func aSlowRequestIsEnded() throws {
    var limits = HTTPLimits()
    limits.requestTime = 0.5
    let client = try LoopbackClient(try server(limits: limits))
    client.send("GET / HTTP/1.1\r\n")
    pause(seconds: 1.6)
    client.turn()
    #expect(String(decoding: client.received, as: UTF8.self).hasPrefix("HTTP/1.1 408 ") && client.isClosedByServer)
  }

  @Test func aConnectionTooManyIsClosedAndIdleOnesMakeRoom() throws {
    var limits = HTTPLimits()
    limits.connections = 2
    let server = try server(limits: limits)
    let busy = try (0..<2).map { _ in try LoopbackClient(server) }
    for client in busy { client.send("GET / HTTP/1.1\r\n") }
    let refused = try LoopbackClient(server)
    refused.turn()
    #expect(refused.isClosedByServer && server.connectionCount == 2)
    #expect(busy[0].send("Host: a\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    let next = try LoopbackClient(server)
    #expect(next.send(LoopbackClient.get("/b")).hasSuffix("/b"))
    busy[0].turn()
    #expect(busy[0].isClosedByServer)
  }

  @Test func aHeaderWithALineBreakIsLeftOut() throws {
    let client = try LoopbackClient(
      try server { _ in
        var response = HTTPResponse(type: "text/plain", "a")
        response.headers.append(.init("X-Name", "a\r\nSet-Cookie: b"))
        return response
      })
    #expect(!client.send(LoopbackClient.get("/")).contains("Set-Cookie"))
  }

  @Test func aSocketInAFileIsItsOwnersAlone() throws {
    let folder = try TemporaryFolder(forSocketsOf: "http")
    let path = folder.file("page")
    do {
      let socket = try ListeningSocket(.path(path))
      #expect(socket.address == .path(path))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(throws: ListeningSocket.Failure.self) { try ListeningSocket(.path(path)) }
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(throws: ListeningSocket.Failure(address: .path(folder.path + "/no/page"), errno: 2)) {
      try ListeningSocket(.path(folder.path + "/no/page"))
    }
  }
}
