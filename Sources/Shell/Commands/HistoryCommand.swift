internal import Glibc
internal import Modeling
internal import Presentation
internal import Session
internal import Terminal

extension Command {
  /// `.history [NUMBER | WORDS] [--failed] [--all]`
  static func history(_ history: @escaping () -> History) -> Command {
    Command(
      name: "history", arguments: "[N|WORDS]",
      summary: "the last N blocks (20) of this store, or those with all words; --failed, --all",
      flags: ["--failed", "--all"], isPaged: true, inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      var words = invocation.arguments
      let options = words.filter { $0.hasPrefix("--") }
      if let unknown = options.first(where: { !["--failed", "--all"].contains($0) }) {
        throw .invalidArgument(unknown, expected: ["--failed", "--all"], nearest: nil)
      }
      words.removeAll { $0.hasPrefix("--") }
      let count = words.count == 1 ? Int(words[0]) : nil
      let search = HistorySearch(
        count == nil ? words.joined(separator: " ") : "", isFailed: options.contains("--failed"),
        takesAll: options.contains("--all"))
      let context = invocation.context
      let found = history().matching(search, limit: max(count ?? (words.isEmpty ? 20 : .max), 0))
      show(found, context)
    }
  }

  private static func show(_ found: [History.Entry], _ context: ShellContext) {
    let labels = found.map { entry in
      (String(entry.number), entry.duration.map { Quantity.duration($0) } ?? "", entry.hasFailed ? "failed" : "")
    }
    let widths = (
      labels.map(\.0.count).max() ?? 0, labels.map(\.1.count).max() ?? 0, labels.map(\.2.count).max() ?? 0
    )
    for (entry, label) in zip(found, labels) {
      var columns = [String(repeating: " ", count: widths.0 - label.0.count) + label.0, localTime(entry.time)]
      if widths.1 > 0 { columns.append(String(repeating: " ", count: widths.1 - label.1.count) + label.1) }
      if widths.2 > 0 { columns.append(label.2 + String(repeating: " ", count: widths.2 - label.2.count)) }
      let margin = columns.joined(separator: "  ")
      let lines = entry.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        DisplayText.picturingControls(in: String(line), context.charset)
      }
      let indent = "\n" + String(repeating: " ", count: margin.count + 2)
      let rows = entry.rows.map { "  " + context.style(.note, Quantity.count($0, "row")) } ?? ""
      context.print(context.style(.note, margin) + "  " + lines.joined(separator: indent) + rows + "\n")
    }
  }

  /// A time as the clock on the wall shows it: `2026-11-23 11:05`.
  private static func localTime(_ seconds: Int) -> String {
    var (time, parts) = (time_t(seconds), tm())
    guard localtime_r(&time, &parts) != nil else { return "" }
    var text = [CChar](repeating: 0, count: 40)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
