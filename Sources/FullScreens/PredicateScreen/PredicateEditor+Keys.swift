internal import Presentation

// The keys of the prompt in a line of a full screen.
extension PredicateEditor {
  /// Does what a key means in a line; keys that mean nothing there change nothing.
  mutating func take(_ key: Key) {
    switch key {
    case .text(let text), .pasted(let text): insert(text)
    case .backspace: deleteBackward()
    case .delete, .control("d"): deleteForward()
    case .left, .control("b"): moveLeft()
    case .right, .control("f"): moveRight()
    case .home, .control("a"): moveToStart()
    case .end, .control("e"): moveToEnd()
    case .wordLeft, .alt("b"): moveWordLeft()
    case .wordRight, .alt("f"): moveWordRight()
    case .control("k"): cutToEnd()
    case .control("u"): cutToStart()
    case .control("w"): cutBlankWordBackward()
    case .alt("\u{7F}"): cutWordBackward()
    case .alt("d"): cutWordForward()
    case .control("y"): paste()
    case .control("_"): undo()
    default: break
    }
  }
}
