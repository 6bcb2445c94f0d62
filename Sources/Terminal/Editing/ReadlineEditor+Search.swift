@preconcurrency import CReadline
import Glibc
internal import Presentation

// The search through the history (Ctrl-R): each typed word must occur, in any order. readline's own know one text alone,
// read their keys within a call, and leave lists of edits with two owners.
extension ReadlineEditor {
  /// A search that is under way.
  struct RunningSearch {
    /// The searched text.
    var query: [UInt8] = []
    /// The entry that is shown, by its place in the history; where the search began before the first.
    var place: Int
    let start: Int
    /// Whether it goes to older entries.
    var isOlder: Bool
    /// The typed text when the search began.
    let line: [UInt8]
    let point: Int32
    /// Whether Enter only ends it, as it ends the searches of vi for a text.
    var isEndedByEnter = false
    var hasFailed = false
  }

  /// Gives the keys of readline's searches for typed texts, as the user's inputrc has them, to ours.
  func takeSearchKeys() {
    bind(rl_reverse_search_history) { _, _ in ReadlineEditor.current?.beginSearch(isOlder: true) ?? 0 }
    bind(rl_noninc_reverse_search) { _, _ in
      ReadlineEditor.current?.beginSearch(isOlder: true, isEndedByEnter: true) ?? 0
    }
    bind(rl_forward_search_history) { _, _ in ReadlineEditor.current?.beginSearch(isOlder: false) ?? 0 }
    bind(rl_noninc_forward_search) { _, _ in
      ReadlineEditor.current?.beginSearch(isOlder: false, isEndedByEnter: true) ?? 0
    }
    bind(rl_vi_search) {
      let isOlder = $1 == Int32(UInt8(ascii: "/"))
      return ReadlineEditor.current?.beginSearch(isOlder: isOlder, isEndedByEnter: true) ?? $0 * 0
    }
  }

  private func beginSearch(isOlder: Bool, isEndedByEnter: Bool = false) -> Int32 {
    let start = Int(where_history())
    search = RunningSearch(
      place: start, start: start, isOlder: isOlder, line: buffer, point: rl_point, isEndedByEnter: isEndedByEnter)
    showSearch()
    return 0
  }

  /// Takes a key while a search is under way.
  func takeSearchKey(_ byte: Int32) {
    guard var search else { return }
    switch byte {
    case 0x12, 0x13:  // Ctrl-R goes to an older entry, Ctrl-S to a newer one.
      if search.query.isEmpty { search.query = lastSearch }
      search.isOlder = byte == 0x12
      find(&search, from: search.isOlder ? search.place - 1 : search.place + 1)
    case 0x7F, 0x08:
      while let last = search.query.popLast(), last & 0xC0 == 0x80 {}
      search.place = search.start
      find(&search, from: search.start)
    case 0x07:  // Ctrl-G restores the typed text.
      self.search?.place = search.start
      endSearch()
      redraw()
      return
    case 0x20...0xFF:
      search.query.append(UInt8(truncatingIfNeeded: byte))
      // The rest of the character is held.
      if Self.heldBytes.first.map({ (0x80...0xBF).contains($0) }) != true {
        find(&search, from: search.place)
      }
    default:
      // Any other key takes the found entry, and then acts as usual. Escape by itself only takes it.
      let isBareEscape = byte == 0x1B && Self.heldBytes.isEmpty && !Self.hasInput(rl_instream)
      let isDone = isBareEscape || search.isEndedByEnter && [0x0A, 0x0D].contains(byte)
      endSearch()
      if byte >= 0, !isDone { Self.heldBytes.insert(byte, at: 0) }
      redraw()
      return
    }
    self.search = search
    showSearch()
  }

  /// Ends the search, if there is one, goes to the found entry, and restores the prompt.
  func endSearch() {
    guard let search else { return }
    if !search.query.isEmpty { lastSearch = search.query }
    self.search = nil
    rl_set_prompt(PromptText.marked(prompt, charset))
    // The shown entries are no edits of the line.
    setLine(search.line, point: search.point)
    go(to: search.place)
  }

  private func find(_ search: inout RunningSearch, from start: Int) {
    let question = HistorySearch(String(decoding: search.query, as: UTF8.self))
    guard !question.words.isEmpty else { return search.hasFailed = false }
    // Readline's memory holds no two entries that are equal, so that each step shows another.
    guard let place = entry(from: start, isOlder: search.isOlder, where: { question.matches($0) }) else {
      return search.hasFailed = true
    }
    (search.place, search.hasFailed) = (place, false)
    setLine(Array(entryText(place).utf8), point: nil)
  }

  private func setLine(_ bytes: [UInt8], point: Int32?) {
    (bytes + [0]).withUnsafeBytes { rl_replace_line($0.baseAddress?.assumingMemoryBound(to: CChar.self), 0) }
    rl_point = min(point ?? rl_end, rl_end)
  }

  private func showSearch() {
    guard let search else { return }
    let query = DisplayText.picturingControls(in: String(decoding: search.query, as: UTF8.self), charset)
    let kind = (search.hasFailed ? "failed " : "") + (search.isOlder ? "reverse-" : "")
    rl_set_prompt("(\(kind)i-search)`\(query)': ")
    redraw()
  }
}
