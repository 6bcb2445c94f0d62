internal import Modeling
internal import Presentation
package import Session

/// A full screen to read a long text on, where the system has no pager.
package final class PagerScreen: FullScreen {
  private let text: PagedText
  /// The first line that is shown.
  private var top = 0
  /// The first column that is shown.
  private var left = 0
  /// What is searched for; nil before the first search.
  private var search: String?
  /// The search that is being typed.
  private var typed: String?
  /// The line that was found last.
  private var found: Int?

  private static let keysHelp = "q leave  Space on  b back  g, G ends  / search  n next  Left, Right columns"

  package init(_ session: Session, _ text: PagedText, _ terminal: any ScreenTerminal) {
    self.text = text
    super.init(session, terminal)
  }

  private var height: Int { max(size.rows - 1, 1) }
  private var lastTop: Int { max(text.count - height, 0) }

  override func draw() throws {
    top = min(max(top, 0), lastTop)
    let lines = (top..<min(top + height, text.count)).map { number in
      PagedLine(text[number], charset).shown(
        from: left, columns: size.columns, isMarked: number == found, style)
    }
    show(page(lines, footer))
  }

  private var footer: String {
    if let typed { return "/" + typed }
    if let remark { return remark.text }
    let end = min(top + height, text.count)
    return
      "lines \(Quantity.grouped(top + 1))-\(Quantity.grouped(end)) of \(Quantity.grouped(text.count))  \(Self.keysHelp)"
  }

  // MARK: Keys

  override func handle(_ key: Key) {
    if typed != nil { return type(key) }
    switch key {
    case .text("q"), .escape, .control("d"): isEnding = true
    case .down, .enter, .text("j"), .text("e"): top += 1
    case .up, .text("k"), .text("y"): top -= 1
    case .pageDown, .text(" "), .text("f"): top += height
    case .pageUp, .text("b"): top -= height
    case .text("d"): top += height / 2
    case .text("u"): top -= height / 2
    case .home, .text("g"), .text("<"): top = 0
    case .end, .text("G"), .text(">"): top = lastTop
    case .right: left += size.columns / 2
    case .left: left = max(left - size.columns / 2, 0)
    case .text("/"): typed = ""
    case .text("n"): find(from: (found ?? top - 1) + 1, by: 1)
    case .text("N"): find(from: (found ?? top) - 1, by: -1)
    case .control("l"): terminal.forgetScreen()
    default: break
    }
  }

  private func type(_ key: Key) {
    switch key {
    case .text(let text), .pasted(let text): typed = (typed ?? "") + text.filter { !$0.isNewline }
    case .backspace:
      if typed?.isEmpty == true { typed = nil } else { typed?.removeLast() }
    case .enter:
      if typed?.isEmpty == false { search = typed }
      typed = nil
      find(from: top, by: 1)
    case .escape, .control("g"), .control("d"): typed = nil
    default: break
    }
  }

  /// Moves to the next line that has the text; case does not count if none of it is a capital.
  private func find(from start: Int, by step: Int) {
    guard let search else { return }
    let isExact = search.contains(where: \.isUppercase)
    var number = start
    while (0..<text.count).contains(number) {
      let line = PagedLine(text[number], charset).plain
      if (isExact ? line : line.lowercased()).contains(isExact ? search : search.lowercased()) {
        found = number
        if !(top..<(top + height)).contains(number) { top = number - height / 3 }
        return
      }
      number += step
    }
    remark = ("no further line has '\(search)'", .warning)
  }
}
