import Foundation
import Testing

/// Without a terminal, live results are lines of JSON for other programs.
@Suite struct WatchEventsTests {
  private func lines(_ script: String) throws -> [String] {
    let result = try BuiltProgram.withStore().run(["quakes.sqlite", "-e", script])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func rowsComeFirstAndThenWhatBecomesOfThem() throws {
    let found = try lines(
      """
      after(0, function()
        Quake:find('us4').magnitude = 9
        Quake { code = 'us6', magnitude = 5 }
        save { author = "feed" }
        Quake:find('us4'):delete() save()
        stopLoop()
      end)
      watch(Quake:where('magnitude > 4'):sorted('code'), { columns = { 'code', 'magnitude' } })
      """)
    #expect(
      found == [
        #"{"event":"initial","index":0,"id":"Quake/4","values":{"code":"us4","magnitude":4.5}}"#,
        #"{"event":"initial","index":1,"id":"Quake/5","values":{"code":"us5","magnitude":5.5}}"#,
        #"{"event":"inserted","index":2,"id":"Quake/6","kind":"save","author":"feed","values":{"code":"us6","magnitude":5.0}}"#,
        #"{"event":"updated","index":0,"oldIndex":0,"id":"Quake/4","kind":"save","author":"feed","values":"#
          + #"{"code":"us4","magnitude":9.0},"old":{"magnitude":4.5}}"#,
        #"{"event":"deleted","oldIndex":0,"id":"Quake/4","kind":"save"}"#,
      ], "\(found.joined(separator: "\n"))")
  }

  @Test func everyLineIsJSONWhateverTheValuesAre() throws {
    let found = try lines(
      #"""
      after(0, function()
        for _, place in ipairs { '"', '\\', 'a\nb', 'é\u{1F600}', 'x"}' } do Quake:first().place = place save() end
        stopLoop()
      end)
      watch(Quake:sorted('code'):limit(1))
      """#)
    #expect(found.count == 6)
    for line in found {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["values"] is [String: Any], "\(line)")
    }
  }

  @Test func aReaderThatGoesEndsIt() throws {
    let program = try BuiltProgram.withStore()
    let script = "n = 0 every(0.01, function() n = n + 1 Quake { code = 'n' .. n } save() end) watch(Quake)"
    let result = try program.shell(
      ["/bin/sh", "-c", #""$0" quakes.sqlite -e "$1" | head -7 | tail -1"#, BuiltProgram.executable, script])
    #expect(result.output.contains(#""event":"inserted""#), "\(result)")
  }

  @Test func theTimeLimitEndsIt() throws {
    let program = try BuiltProgram.withStore()
    let result = try program.run(["quakes.sqlite", "--timeout", "1", "-e", "watch(Quake)"])
    #expect(result.status == 124, "\(result)")
    #expect(result.output.split(separator: "\n").count == 5)
  }
}
