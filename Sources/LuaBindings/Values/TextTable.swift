internal import LuaRuntime

extension LuaStack {
  /// Gives the table on the top a kind, and a text for `tostring` and the prompt.
  func setText(_ text: String, kind: String) {
    pushTable(hash: 2)
    push(kind)
    rawSet(field: "__name", at: -2)
    pushFunction { stack in
      stack.push(text)
      return 1
    }
    rawSet(field: "__tostring", at: -2)
    setMetatable(of: -2)
  }
}
