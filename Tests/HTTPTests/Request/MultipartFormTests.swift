import TestSupport
import Testing

@testable import HTTP

/// Forms with files.
@Suite struct MultipartFormTests {
  private func fields(_ body: String, _ type: String = "multipart/form-data; boundary=m") -> [HTTPRequest.Field]? {
    var request = HTTPRequest(method: .post, path: [], query: [], headers: [.init("content-type", type)])
    request.body = Array(body.utf8)
    return request.form
  }

  private static let part = "Content-Disposition: form-data; name=\"a\"\r\n\r\n"

  @Test func fieldsAndFilesHaveTheirContent() {
    let file =
      "content-disposition: form-data; filename=\"name=\"; name=\"f\"\r\nContent-Type: text/csv\r\n\r\nx--m\r\n\r\n"
    let body = "--m\r\n\(Self.part)1\r\n2\r\n--m\r\n\(file)\r\n--m--\r\n"
    #expect(fields(body) == [.init("a", "1\r\n2"), .init("f", "x--m\r\n\r\n")])
    #expect(fields(body, "multipart/form-data; boundary=\"m\"") == fields(body))
    #expect(fields("--m--") == [])
  }

  @Test(arguments: [
    "", "--m", "--m\r\n", "--x--", "--m\r\n\(part)1", "--m\r\n\(part)1\r\n--m", "--m\r\n\(part)1\r\n--m-",
    "--m\n\(part)1\n--m--",
    "--m\r\nX: y\r\n\r\n1\r\n--m--", "--m\r\n\(part)1\r\n--m--x",
    "--m\r\nContent-Disposition: form-data\r\n\r\n1\r\n--m--",
  ])
  func whatIsNotWholeIsNoForm(_ body: String) { #expect(fields(body) == nil) }

  @Test func otherTypesAreNoForm() {
    for type in [
      "multipart/form-data", "multipart/form-data; boundary=", "multipart/mixed; boundary=m", "text/plain",
      "multipart/form-data; boundary=" + String(repeating: "m", count: 71),
    ] {
      #expect(fields("--m--", type) == nil, "\(type)")
    }
    var request = HTTPRequest(
      method: .post, path: [], query: [], headers: [.init("content-type", "multipart/form-data; boundary=m")])
    request.body = Array("--m\r\n\(Self.part)".utf8) + [0xFF] + Array("\r\n--m--".utf8)
    #expect(request.form == nil)
  }

  @Test func aFileMayBeNoText() throws {
    var request = HTTPRequest(
      method: .post, path: [], query: [], headers: [.init("content-type", "multipart/form-data; boundary=m")])
    let head = "--m\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.png\"\r\n\r\n"
    request.body = Array(head.utf8) + [0xFF, 0, 13, 10] + Array("\r\n--m--".utf8)
    let field = try #require(request.form?.first)
    #expect(field.name == "f" && field.value.isEmpty && field.data == [0xFF, 0, 13, 10])
  }

  @Test(.seeded) func randomBytesNeverTrapAndWhatIsWrittenIsRead() {
    var random = SplitMix(seed: 46)
    let pieces = ["--m", "\r\n", "--", Self.part, "a", "\r", "\n", "\"", ";", "é", "--m--"]
    for _ in 0..<Effort.rounds(3000) {
      let content = (0..<random.below(8)).map { _ in pieces[random.below(pieces.count)] }.joined()
      _ = fields(content)
      _ = fields("--m\r\n" + content)
      if !("\r\n" + content).contains("\r\n--m") {
        #expect(fields("--m\r\n\(Self.part)\(content)\r\n--m--\r\n") == [.init("a", content)])
      }
    }
  }
}
