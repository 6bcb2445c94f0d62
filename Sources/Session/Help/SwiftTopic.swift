package import Presentation

/// The meaning of Swift at the prompt, for `?swift`.
package enum SwiftTopic {
  private static let rows: [(swift: String, here: String)] = [
    ("@FetchRequest, @SectionedFetchRequest, @Query", "live results of that name; _ is the request"),
    ("parameters of init", "names without a value: quakes = quakes:bind { start = Date \"2026-01-01\" }:live()"),
    ("@State, @AppStorage, @SceneStorage", "query = State(\"\"), read and set as query.value"),
    ("@Namespace, @Observable class Person", "namespace = Namespace(), Person { name = \"Ann\" }"),
    (".onChange(of: query) { ... }, Button(\"All\") { ... }", "functions: onChangeQuery(value), all()"),
    ("Table, List, ForEach, Section, Text", "quakes.columns, for the prompt, show and watch"),
    ("#Predicate, NSPredicate, #Expression", "a predicate, an expression"),
    ("@Model final class Quake { ... }", "a model"),
    ("withAnimation { ... }, TextField, .environment", "is not run: the answer is the Lua for it"),
  ]

  package static func text(style: Style) -> String {
    var text = "Swift can be pasted as it stands in an app; nothing is written by that.\n\n"
    for (swift, here) in rows { text += "  " + style(.name, swift) + "\n    " + here + "\n" }
    return text + "\n  perilune watch View.swift app.sqlite shows the list of a view; docs/swift.md tells more\n"
  }
}
