@preconcurrency import CReadline
import Glibc

// Entries of the history that are recalled by a text. readline's own ways leave the place in the history where it was, and
// with it lists of edits that belong to two lines; ours go to the entry as the arrows do.
extension ReadlineEditor {
  /// Binds our functions to the keys by which readline recalls entries by the text before the cursor, or by the last
  /// search.
  func takeRecallKeys() {
    bind(rl_history_search_backward) { ReadlineEditor.current?.recall($0, isOlder: true, isPrefix: true) ?? $1 * 0 }
    bind(rl_history_search_forward) { ReadlineEditor.current?.recall($0, isOlder: false, isPrefix: true) ?? $1 * 0 }
    bind(rl_history_substr_search_backward) {
      ReadlineEditor.current?.recall($0, isOlder: true, isPrefix: false) ?? $1 * 0
    }
    bind(rl_history_substr_search_forward) {
      ReadlineEditor.current?.recall($0, isOlder: false, isPrefix: false) ?? $1 * 0
    }
    bind(rl_noninc_reverse_search_again) { _, _ in ReadlineEditor.current?.searchAgain(isOlder: true) ?? 0 }
    bind(rl_noninc_forward_search_again) { _, _ in ReadlineEditor.current?.searchAgain(isOlder: false) ?? 0 }
    bind(rl_vi_search_again) { ReadlineEditor.current?.searchAgain(isOlder: $1 == Int32(UInt8(ascii: "n"))) ?? $0 * 0 }
  }

  /// Gives the keys that go to other entries to ours, which keep the line first.
  func takeEntryKeys() {
    bind(rl_get_previous_history, in: ["emacs", "vi-insert"]) { ReadlineEditor.older($0, $1) }
    bind(rl_get_next_history, in: ["emacs", "vi-insert"]) { ReadlineEditor.newer($0, $1) }
    bind(rl_beginning_of_history) {
      ReadlineEditor.keepLine()
      return rl_beginning_of_history($0, $1)
    }
    bind(rl_end_of_history) {
      ReadlineEditor.keepLine()
      return rl_end_of_history($0, $1)
    }
    bind(rl_fetch_history) {
      ReadlineEditor.keepLine()
      return rl_fetch_history($0, $1)
    }
  }

  static func older(_ count: Int32, _ key: Int32) -> Int32 {
    keepLine()
    return rl_get_previous_history(count, key)
  }

  static func newer(_ count: Int32, _ key: Int32) -> Int32 {
    keepLine()
    return rl_get_next_history(count, key)
  }

  /// Makes the line that of the entry which it was made from, until the block is sent.
  ///
  /// readline 8.2 does so as well, but not where the list of edits still begins with the same edit: that grows with what is typed
  /// behind it, which then was lost with the next move.
  private static func keepLine() {
    guard let entry = current_history(), strcmp(entry.pointee.line, rl_line_buffer) != 0 else { return }
    _ = free_history_entry(replace_history_entry(where_history(), rl_line_buffer, rl_undo_list))
  }

  /// Makes an entry the line, as the arrows do: its edits are kept until the block is sent.
  func go(to place: Int) {
    let distance = Int32(clamping: place) - where_history()
    if distance < 0 { _ = Self.older(-distance, 0) }
    if distance > 0 { _ = Self.newer(distance, 0) }
  }

  /// The text of an entry, with the edits that were made at this prompt.
  func entryText(_ place: Int) -> String {
    history_get(history_base + Int32(clamping: place)).map { String(cString: $0.pointee.line) } ?? ""
  }

  /// The place of the nearest entry that fits, from `start` on.
  func entry(from start: Int, isOlder: Bool, where fits: (String) -> Bool) -> Int? {
    let count = Int(history_length)
    let places = isOlder ? Array((0..<min(max(start + 1, 0), count)).reversed()) : Array(min(start, count)..<count)
    return places.first { fits(entryText($0)) }
  }

  private func recall(_ count: Int32, isOlder: Bool, isPrefix: Bool) -> Int32 {
    let line = buffer
    let text = recall.flatMap { $0.shown == line ? $0.text : nil } ?? Array(line[..<Self.point])
    guard !text.isEmpty else { return isOlder ? Self.older(count, 0) : Self.newer(count, 0) }
    let words = String(decoding: text, as: UTF8.self)
    let place = entry(from: Int(where_history()) + (isOlder ? -1 : 1), isOlder: isOlder) {
      isPrefix ? $0.utf8.starts(with: text) : $0.contains(words)
    }
    guard let place else { return rl_ding() * 0 }
    go(to: place)
    if isPrefix { rl_point = min(Int32(clamping: text.count), rl_end) }
    recall = (text, buffer)
    return 0
  }

  private func searchAgain(isOlder: Bool) -> Int32 {
    let question = HistorySearch(String(decoding: lastSearch, as: UTF8.self))
    let start = Int(where_history()) + (isOlder ? -1 : 1)
    guard !question.words.isEmpty, let place = entry(from: start, isOlder: isOlder, where: { question.matches($0) })
    else { return rl_ding() * 0 }
    go(to: place)
    return 0
  }
}
