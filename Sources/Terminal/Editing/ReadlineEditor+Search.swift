@preconcurrency import CReadline
import Glibc

// The search through the history (Ctrl-R): each typed word must occur, in any order. readline's own knows one text alone,
// and reads its keys within a call.
extension ReadlineEditor {
  /// A search that is under way.
  struct RunningSearch {
    /// What is looked for.
    var query: [UInt8] = []
    /// The entry that is shown, by its place in the history; its end before the first.
    var place: Int
    /// What was typed when the search began.
    let line: [UInt8]
    let point: Int32
    var hasFailed = false
  }

  /// Gives the keys of readline's search through the history, as the user's inputrc has them, to ours.
  func takeSearchKeys() {
    bind(rl_reverse_search_history) { _, _ in ReadlineEditor.current?.beginSearch() ?? 0 }
  }

  private func beginSearch() -> Int32 {
    search = RunningSearch(place: history.entries.count, line: buffer, point: rl_point)
    showSearch()
    return 0
  }

  /// Takes a key while a search is under way.
  func takeSearchKey(_ byte: Int32) {
    guard var search else { return }
    switch byte {
    case 0x12, 0x13:  // Ctrl-R goes to an older entry, Ctrl-S to a newer one.
      if search.query.isEmpty { search.query = lastSearch }
      find(&search, from: byte == 0x12 ? search.place - 1 : search.place + 1, isOlder: byte == 0x12)
    case 0x7F, 0x08:
      while let last = search.query.popLast(), last & 0xC0 == 0x80 {}
      search.place = history.entries.count
      find(&search, from: search.place - 1, isOlder: true)
    case 0x07:  // Ctrl-G gives back what was typed.
      setLine(search.line, point: search.point)
      endSearch()
      redraw()
      return
    case 0x20...0xFF:
      search.query.append(UInt8(truncatingIfNeeded: byte))
      // The rest of the character is held.
      if Self.heldBytes.first.map({ (0x80...0xBF).contains($0) }) != true {
        find(&search, from: min(search.place, history.entries.count - 1), isOlder: true)
      }
    default:
      // Any other key takes what was found, and then does what it always does. Escape by itself does that alone.
      let isBareEscape = byte == 0x1B && Self.heldBytes.isEmpty && !Self.hasInput(rl_instream)
      endSearch()
      if byte >= 0, !isBareEscape { Self.heldBytes.insert(byte, at: 0) }
      redraw()
      return
    }
    self.search = search
    showSearch()
  }

  /// Ends the search, if there is one, and gives the prompt back.
  func endSearch() {
    guard let search else { return }
    if !search.query.isEmpty { lastSearch = search.query }
    self.search = nil
    rl_set_prompt(PromptText.marked(prompt, charset))
  }

  private func find(_ search: inout RunningSearch, from start: Int, isOlder: Bool) {
    let question = HistorySearch(String(decoding: search.query, as: UTF8.self))
    let entries = history.entries
    let places = isOlder ? Array((0..<max(start + 1, 0)).reversed()) : Array(min(start, entries.count)..<entries.count)
    // Readline's memory holds no two entries that are equal, so that each step shows another.
    guard !question.words.isEmpty, let place = places.first(where: { question.matches(entries[$0].text) }) else {
      search.hasFailed = !question.words.isEmpty
      return
    }
    (search.place, search.hasFailed) = (place, false)
    setLine(Array(entries[place].text.utf8), point: nil)
  }

  private func setLine(_ bytes: [UInt8], point: Int32?) {
    (bytes + [0]).withUnsafeBytes { rl_replace_line($0.baseAddress?.assumingMemoryBound(to: CChar.self), 0) }
    rl_point = min(point ?? rl_end, rl_end)
  }

  private func showSearch() {
    guard let search else { return }
    let query = DisplayText.picturingControls(in: String(decoding: search.query, as: UTF8.self), charset)
    rl_set_prompt("(\(search.hasFailed ? "failed " : "")reverse-i-search)`\(query)': ")
    redraw()
  }
}
