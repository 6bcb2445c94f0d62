import Stores
import TestSupport
import Testing

@testable import HTTP
@testable import Page

/// Data in cells: pictures are shown, and nothing else is.
@Suite struct PictureTests {
  private let served: ServedStore

  init() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("photos.sqlite")
    let script = """
      do
        local model = Model { Photo = Entity { name = String { unique = true }, image = Data, _ = { order = { "name", "image" } } } }
        local store <close> = open("\(path)", { create = true, model = model })
        for name, bytes in pairs {
          png = "\\137PNG\\r\\n\\26\\n" .. ("x"):rep(100), jpeg = "\\255\\216\\255\\224 photo", gif = "GIF89a<script>alert(1)</script>",
          webp = "RIFF\\1\\2\\3\\4WEBPVP8 ", svg = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
          html = "<html><script>alert(1)</script>", riff = "RIFF\\1\\2\\3\\4WAVE", short = "\\137PN", empty = "",
          long = ("x"):rep(8000),
        } do store.entities.Photo { name = name, image = bytes } end
        store.entities.Photo { name = "none" }
        store.context:save()
      end
      """
    served = try ServedStore(StoreOptions(path: path), in: folder, after: script, permitsChanges: true)
  }

  private func row(_ name: String) throws -> String {
    let page = try served.get("/Photo", ["where": "name == '\(name)'"]).text
    return String(try #require(page.firstMatch(of: /<tbody.*<\/tbody>/.dotMatchesNewlines())).0)
  }

  private func object(_ name: String) throws -> String {
    let link = try #require(try row(name).firstMatch(of: /href="(\/Photo\?key=[0-9]+)/))
    return try served.open(String(link.1)).text
  }

  private func response(_ page: String) throws -> HTTPResponse {
    let address = try #require(page.firstMatch(of: /href="(\/-\/data[^"]*)"/)).1.replacing("&amp;", with: "&")
    let query = address.split(separator: "?")[1]
    return served.server.respond(to: served.request("/-/data", try #require(URLText.fields(Array(query.utf8)[...]))))
      .guarded
  }

  private func header(_ name: String, _ response: HTTPResponse) -> String? {
    response.headers.first { $0.name == name }?.value
  }

  @Test(arguments: ["png", "jpeg", "gif", "webp"]) func picturesAreShownFromTheirOwnAddress(_ name: String) throws {
    for page in [try row(name), try object(name)] {
      #expect(page.contains(#"<img class="picture" src="/-/data?entity=Photo"#) && page.contains(#"loading="lazy""#))
      let response = try response(page)
      #expect(header("Content-Type", response) == "image/\(name)")
      #expect(header("X-Content-Type-Options", response) == "nosniff")
      #expect(header("Content-Security-Policy", response)?.hasPrefix("default-src 'none'") == true)
      #expect(header("Content-Disposition", response) == "inline; filename=\"image.\(name)\"")
      #expect(!page.contains("<script>alert"))
    }
  }

  @Test(arguments: ["svg", "html", "riff", "short", "large"]) func nothingElseIsShown(_ name: String) throws {
    if name == "large" { try served.run("Photo { name = 'large', image = 'GIF89a' .. ('x'):rep(11 << 20) } save()") }
    #expect(try !row(name).contains("<img"))
    let page = try object(name)
    #expect(!page.contains("<img") && page.contains("Save as a file"))
    let response = try response(page)
    guard name != "large" else { return }
    #expect(header("Content-Type", response) == "application/octet-stream")
    #expect(header("Content-Disposition", response) == "attachment; filename=\"image.bin\"")
  }

  @Test func whatHasNoBytesHasNoAddress() throws {
    for name in ["empty", "none"] { #expect(try !object(name).contains("/-/data")) }
    #expect(try served.get("/-/data", ["entity": "Photo", "key": "99", "property": "image"]).status == 404)
    let link = try #require(try row("png").firstMatch(of: /key=([0-9]+)/)).1
    #expect(try served.get("/-/data", ["entity": "Photo", "key": String(link), "property": "name"]).status == 404)
    #expect(
      try served.get("/-/data", ["entity": "Photo", "key": String(link), "property": "imag"]).text.contains("image"))
  }

  @Test func anotherPictureHasAnotherAddress() throws {
    func source() throws -> Substring { try #require(try row("png").firstMatch(of: /src="([^"]*)"/)).1 }
    let before = try source()
    #expect(try source() == before)
    try served.run("p = Photo:where(\"name == 'png'\"):first() p.image = p.image:sub(1, -2) .. 'y'")
    #expect(try source() != before)
  }

  private func key(_ name: String) throws -> String {
    String(try #require(try row(name).firstMatch(of: /key=([0-9]+)/)).1)
  }

  private func editor(_ name: String) throws -> ShownForm {
    try served.form("/-/edit", ["entity": "Photo", "key": try key(name), "property": "image"], "/-/set")
  }

  @Test func dataIsSetFromAFile() throws {
    let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0, 13, 10, 0xC3]
    #expect(try editor("none").sendFile(picture).status == .seeOther)
    #expect(try response(try row("none")).bytes == picture)
    // Text is data, too.
    #expect(try editor("none").sendFile("<svg/>").status == .seeOther)
    #expect(try response(try object("none")).bytes == Array("<svg/>".utf8))
    // Without a file, long data stays; Make nil is a button.
    let long = try editor("long")
    #expect(!long.text.contains("<textarea") && long.send([:]).status == .seeOther)
    #expect(try row("long").contains("kB"))
    #expect(try editor("long").send(["empty": "1"]).status == .seeOther)
    #expect(try !object("long").contains("/-/data"))
  }

  @Test func aFileDoesNotOverwriteWhatWasChangedMeanwhile() throws {
    for name in ["png", "long"] {
      let form = try editor(name)
      try served.run("p = Photo:where(\"name == '\(name)'\"):first() p.image = 'theirs'")
      let response = form.sendFile([0xFF, 0xD8, 0xFF])
      #expect(response.status == .conflict && response.text.contains("theirs") && response.text.contains("dl class"))
      #expect(try self.response(try object(name)).bytes == Array("theirs".utf8))
    }
  }
}

extension HTTPResponse {
  fileprivate var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }
}
