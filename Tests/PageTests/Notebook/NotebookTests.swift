import Foundation
import HTTP
import LuaBindings
import Stores
import Synchronization
import TestSupport
import Testing

@testable import Page

/// The scripts of a folder as pages.
@Suite struct NotebookTests {
  private let folder: TemporaryFolder
  private let served: ServedStore

  init() throws {
    folder = try TemporaryFolder()
    served = try ServedStore(notebook: folder.path)
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: folder.file(name)), options: .atomic)
  }

  private func page(_ name: String) throws -> (status: Int, text: String) { try served.get("/-/page", ["page": name]) }

  @Test func theFirstPageListsTheScriptsOfTheFolder() throws {
    #expect(try served.get("/").text.contains("no .lua files yet"))
    var events: [String] = []
    let stream = try served.stream { events.append($0) }
    try write("strong & deep.lua", "")
    try write("notes.txt", "")
    try write(".hidden.lua", "")
    try served.wait { events.contains { $0.contains("\"entities\"") } }
    let page = try served.get("/").text
    #expect(page.contains(#"<a href="/-/page?page=strong%20%26%20deep.lua">strong &amp; deep</a>"#))
    #expect(!page.contains("notes") && !page.contains("hidden"))
    stream.close()
  }

  @Test func aPageHasWhatItsScriptPrintsAndShowsInOrder() throws {
    try write(
      "all.lua",
      """
      #!/usr/bin/env perilune
      print("<b>", Quake:count())
      print "second"
      show(Quake:where "magnitude > 2", { columns = { "code" }, limit = 2 })
      show(Quake:all():plot { x = "magnitude" })
      show { answer = 42 }
      """)
    let text = try page("all.lua").text
    let shown = try #require(
      text.firstMatch(
        of: /<pre class="printed">&lt;b&gt;\t5\nsecond<\/pre>.*>us2<.*<img src="([^"]*)".*answer.*42/
          .dotMatchesNewlines()
      ))
    #expect(!text.contains(">us5<") && text.contains("and 1 more"))
    #expect(try served.open(String(shown.1).replacing("&amp;", with: "&")).text.hasPrefix("<svg"))
  }

  @Test func aFunctionThatAScriptServesMakesThePageAfterWhatItPrinted() throws {
    try write(
      "board.lua",
      """
      runs = (runs or 0) + 1
      local least = State(2)
      print("run " .. runs)
      serve(function(page)
        page:navigationTitle "Board"
        page:Slider("from", least, { from = 1, to = 5 })
        page:Text(Quake:where("magnitude > %@", least.value):count() .. " quakes")
      end)
      """)
    #expect(try page("board.lua").text.contains("2 quakes") == false)
    #expect(try page("board.lua").text.contains("3 quakes"))
    let form = try #require(served.forms(in: try page("board.lua").text).first { $0.action == "/-/input" })
    let response = form.send([("value", "4")])
    #expect(response.headers.contains { $0.name == "Location" && $0.value == "/-/page?page=board.lua" })
    let text = try page("board.lua").text
    #expect(text.contains("run 1") && text.contains("1 quakes") && text.contains("<h1>Board</h1>"))
    // Globals of a page are its own.
    try served.run("assert(runs == nil)")
  }

  @Test func aPageRunsAgainWhenItsFileIsSavedAndWhenObjectsChange() throws {
    try write("count.lua", "print('first', Quake:count())")
    #expect(try page("count.lua").text.contains("first\t5"))
    var events: [String] = []
    let stream = try served.stream { events.append($0) }
    try write("count.lua", "print('second', Quake:count())")
    try served.wait { events.contains { $0.contains("\"page count.lua\"") } }
    #expect(try page("count.lua").text.contains("second\t5"))
    events = []
    try served.run("Quake { code = 'new' }")
    #expect(events.contains { $0.contains("\"page count.lua\"") })
    #expect(try page("count.lua").text.contains("second\t6"))
    events = []
    try FileManager.default.removeItem(atPath: folder.file("count.lua"))
    try served.wait { events.contains { $0.contains("\"page count.lua\"") } }
    #expect(try page("count.lua").status == 404)
    stream.close()
  }

  @Test func anErrorOfAScriptIsAPageWithItsPlace() throws {
    try write("wrong.lua", "print 'before'\nlocal x = Quake:where 'magnitud > 2'\nshow(x)")
    let text = try page("wrong.lua").text
    #expect(text.contains("wrong.lua:2") && text.contains("magnitud") && text.contains("alert"))
    #expect(text.contains(/<pre class="printed">before<\/pre>.*role="alert"/.dotMatchesNewlines()))
    try write("wrong.lua", "print('x'\nend")
    #expect(try page("wrong.lua").text.contains("wrong.lua:2"))
    try write("wrong.lua", "serve(function(page)\n  page:Text(missing.value)\nend)")
    #expect(try page("wrong.lua").text.contains("wrong.lua:2"))
    try write("wrong.lua", "serve(5)")
    #expect(try page("wrong.lua").text.contains("expected a function"))
    try write("wrong.lua", "while true do print('and on and on') end")
    #expect(try page("wrong.lua").text.contains("more than 262144 bytes"))
    try write("wrong.lua", "while true do show(Quake) end")
    #expect(try page("wrong.lua").text.contains("more than 10000 elements"))
    try write("wrong.lua", "os.exit(3)")
    #expect(try page("wrong.lua").text.contains("alert"))
    try write("wrong.lua", "print 'mended'")
    #expect(try page("wrong.lua").text.contains("mended"))
  }

  @Test func aPageThatTakesTooLongIsStoppedAndWaitsToBeAskedForAgain() throws {
    served.server.store.longestScript = 0.05
    /// Opens the page until it has come to the loop in its time.
    func stopped(after beginning: String) throws -> String {
      var text = ""
      try served.wait {
        text = try page("endless.lua").text
        return text.contains(beginning)
      }
      return text
    }
    try write("endless.lua", "print('begun', Quake:count())\nwhile true do end")
    let text = try stopped(after: "begun\t5")
    #expect(text.contains("endless.lua:2") && text.contains("may run for 0.05 s"))
    var events: [String] = []
    let stream = try served.stream { events.append($0) }
    try served.run("Quake { code = 'new' }")
    #expect(!events.contains { $0.contains("page endless.lua") })
    _ = try stopped(after: "begun\t6")
    try write("endless.lua", "serve(function(page) page:Text 'more' pcall(function() while true do end end) end)")
    try served.wait { events.contains { $0.contains("\"page endless.lua\"") } }
    #expect(try stopped(after: "<p class=\"whole\">more</p>").contains("may run for 0.05 s"))
    #expect(try served.get("/").status == 200)
    stream.close()
  }

  @Test func whatCtrlCStopsIsTheScriptOfThePage() throws {
    try write("endless.lua", "while true do end")
    nonisolated(unsafe) let session = served.session
    let isDone = Mutex(false)
    // Until it has stopped something: an interruption may come before the script runs, and then stops it at once.
    let presses = Thread {
      while !isDone.withLock({ $0 }) {
        session.interrupt()
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
    presses.start()
    let text = try page("endless.lua").text
    isDone.withLock { $0 = true }
    while !presses.isFinished { Thread.sleep(forTimeInterval: 0.001) }
    session.engine.lua.clearInterrupt()
    #expect(text.contains("endless.lua:1") && text.contains("alert"))
    #expect(try served.get("/").status == 200)
  }

  @Test func theExampleIsANotebookOfTheSampleStore() throws {
    let examples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Examples")
      .standardized
    let made = try TemporaryFolder()
    let store = made.file("quakes.sqlite")
    let maker = try Process.run(
      URL(filePath: BuiltProduct.perilune.path), arguments: [examples.path + "/quakes.lua", store])
    maker.waitUntilExit()
    let served = try ServedStore(
      StoreOptions(path: store), in: made, permitsChanges: false, notebook: examples.path + "/notebook")
    let pages = try served.get("/").text.matches(of: /\/-\/page\?page=[\w.]+/).map { String($0.0) }
    #expect(pages == ["/-/page?page=stations.lua", "/-/page?page=strongest.lua"])
    for page in pages {
      let text = try served.open(page).text
      #expect(text.contains("<table>") && !text.contains("role=\"alert\""), "\(text)")
    }
  }

  @Test func nothingOutsideTheFolderIsAPage() throws {
    let outside = try TemporaryFolder()
    try Data("print 'outside'".utf8).write(to: URL(filePath: outside.file("secret.lua")))
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder.file("link.lua"), withDestinationPath: outside.file("secret.lua"))
    try files.createSymbolicLink(atPath: folder.file("linked"), withDestinationPath: outside.path)
    try files.createDirectory(atPath: folder.file("folder.lua"), withIntermediateDirectories: false)
    #expect(mkfifo(folder.file("pipe.lua"), 0o600) == 0)
    let name = URL(filePath: outside.path).lastPathComponent
    for page in [
      "link.lua", "linked/secret.lua", "../\(name)/secret.lua", outside.file("secret.lua"), "folder.lua", "pipe.lua",
      "secret.lua\0.lua", "", "..", ".lua", "missing.lua",
    ] {
      let found = try self.page(page)
      #expect(found.status == 404 && !found.text.contains("outside"), "\(page)")
    }
    #expect(try served.get("/").text.contains("no .lua files yet"))
    #expect(try served.get("/-/chart", ["page": "link.lua", "place": "0"]).status == 404)
  }
}
