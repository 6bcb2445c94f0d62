import Modeling
import TestSupport
import Testing

/// Actions write what is meant, or the other form of a predicate.
@Suite struct CodeActionTests {
  private let folder: TemporaryFolder
  private let client: EditorClient

  init() throws {
    folder = try TemporaryFolder()
    client = try EditorClient(["--store", EditorClient.store(in: folder)], in: folder)
  }

  private static let request = "let r = NSFetchRequest<Quake>(entityName: \"Quake\")\nr.predicate = "

  /// The actions at the bar in the last line of a text.
  private func actions(_ text: String, _ name: String = "a.lua", only: String = "") throws -> [JSON] {
    let bar = try #require(text.firstIndex(of: "|"))
    let lines = text[..<bar].split(separator: "\n", omittingEmptySubsequences: false)
    _ = try client.open(name, text.replacing("|", with: ""))
    let place = #"{"line":\#(lines.count - 1),"character":\#(lines[lines.count - 1].utf16.count)}"#
    let answer = try client.request(
      "textDocument/codeAction",
      #"{"textDocument":{"uri":"\#(client.uri(name))"},"range":{"start":\#(place),"end":\#(place)},"context":{"diagnostics":[]\#(only)}}"#
    )
    return answer.items
  }

  /// The line that an action leaves.
  private func line(_ text: String, _ name: String, after action: JSON) throws -> String {
    let edit = try #require(action["edit"]?["changes"]?[client.uri(name)]?.items.first)
    guard case .int(let start)? = edit["range"]?["start"]?["character"],
      case .int(let end)? = edit["range"]?["end"]?["character"]
    else { return "" }
    let line = Array((text.split(separator: "\n").last ?? "").utf16).filter { $0 != 0x7C }
    return String(decoding: line[..<Int(start)], as: UTF16.self) + (edit["newText"]?.string ?? "")
      + String(decoding: line[Int(end)...], as: UTF16.self)
  }

  @Test(
    arguments: [
      ("local s = \"😀\" Quake:where \"magn|itud > 6\"", "local s = \"😀\" Quake:where \"magnitude > 6\""),
      ("Quake:wher|()", "Quake:where()"), ("Quak|", "Quake"),
      ("Quake:all():sorted \"-plce|\"", "Quake:all():sorted \"-place\""),
      ("Quake:where \"ANY reports.intensit|i > 1\"", "Quake:where \"ANY reports.intensity > 1\""),
    ])
  func theNearestNameIsWritten(text: String, corrected: String) throws {
    let text = text == "Quak|" ? "print(Quak|)" : text
    let action = try #require(try actions(text, only: #","only":["quickfix"]"#).first)
    #expect(action["diagnostics"]?.items.count == 1)
    #expect(try line(text, "a.lua", after: action) == (corrected == "Quake" ? "print(Quake)" : corrected))
  }

  @Test(
    arguments: [
      ("NSPredicate(format: \"magnitu|d > 5\")", "r.predicate = NSPredicate(format: \"magnitude > 5\")"),
      ("NSPredicate(format: \"place == |%d\", \"x\")", "r.predicate = NSPredicate(format: \"place == %@\", \"x\")"),
    ])
  func mistakesInSwiftAreCorrected(text: String, corrected: String) throws {
    let action = try #require(try actions(Self.request + text, "a.swift", only: #","only":["quickfix"]"#).first)
    #expect(try line(Self.request + text, "a.swift", after: action) == corrected)
  }

  @Test(
    arguments: [
      (
        "NSPredicate(format: \"magnitude >|= %f AND code == %@\", least, name as CVarArg)",
        "r.predicate = #Predicate<Quake> { ($0.magnitude.flatMap { $0 >= least } ?? false) && $0.code == name }"
      ),
      (
        "#Predicate<Quake> { $0.code |== name }",
        "r.predicate = NSPredicate(format: \"code == %@\", name)"
      ),
    ])
  func aPredicateIsWrittenInItsOtherForm(text: String, written: String) throws {
    let action = try #require(try actions(Self.request + text, "a.swift", only: #","only":["refactor"]"#).first)
    #expect(try line(Self.request + text, "a.swift", after: action) == written)
  }

  @Test func aPredicateWhoseArgumentsHaveNoNameStaysAsItIs() throws {
    let text = Self.request + "NSPredicate(format: \"magnitude >|= %f\", model.least)"
    #expect(try actions(text, "a.swift", only: #","only":["refactor"]"#) == [])
  }

  @Test func aPredicateIsTriedOnTheStore() throws {
    let action = try #require(try actions("Quake:where \"magnitude |> 6\"").first { $0["command"] != nil })
    let command = try #require(action["command"])
    let result = try client.request(
      "workspace/executeCommand",
      #"{"command":"perilune.try","arguments":\#(command["arguments"]?.text ?? "")}"#)
    let message = try client.notification("window/showMessage")["message"]?.string
    #expect(result.string == message)
    #expect(message?.hasPrefix("Quake: 5 of 40 match, 35 do not\nperilune '") == true)
    #expect(message?.hasSuffix("-e 'Quake:where \"magnitude > 6\"'") == true)
  }

  @Test(arguments: [#"{"command":"perilune.tri"}"#, #"{"command":"perilune.try","arguments":[1]}"#, "{}"])
  func aCommandThatCannotBeReadIsRefused(parameters: String) throws {
    #expect(try client.request("workspace/executeCommand", parameters)["code"] == .int(-32602))
  }

  @Test func aMethodIsCalledWithAColon() throws {
    let action = try #require(try actions("print(Quake.wh|ere \"magnitude > 5\")").first)
    #expect(action["title"] == .string("Write :where"))
    let text = "print(Quake.where \"magnitude > 5\")"
    #expect(try line(text, "a.lua", after: action) == "print(Quake:where \"magnitude > 5\")")
    #expect(try actions("Quake:first().pla|ce = 5") == [])
    #expect(try actions("string.for|mat('x')") == [])
  }

  @Test func aTextBetweenQuotesIsGivenAsAnArgument() throws {
    let text = Self.request + #"NSPredicate(format: "place =|= '\(name)' AND code == %@ AND depth > 5", code)"#
    let action = try #require(try actions(text, "a.swift").first { $0["title"] == .string("Give values with %@") })
    #expect(
      try line(text, "a.swift", after: action)
        == #"r.predicate = NSPredicate(format: "place == %@ AND code == %@ AND depth > 5", name, code)"#)
    let number = Self.request + #"NSPredicate(format: "depth >| \(least)")"#
    #expect(try !actions(number, "a.swift").contains { $0["title"] == .string("Give values with %@") })
  }
}
