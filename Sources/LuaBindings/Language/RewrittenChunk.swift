/// A chunk, rewritten so that its top-level locals persist and those of earlier chunks are visible.
///
/// A persistent local is a *cell* shared by all closures that use it, as if all chunks were one. The chunk becomes the
/// body of a function whose upvalues are the locals of earlier chunks that it names. Before it ends, it passes on a
/// closure that returns its own locals. `ChunkLocals` joins the cells.
///
///     local a _perilune_keep = ... return function(...) local b = a + 1 ;_perilune_keep(function() return b end)
///     end
///
/// Lines keep their numbers. Only sources that compile by themselves may be rewritten.
struct RewrittenChunk {
  /// The source of a function that receives the keeper and returns the chunk as a function.
  let source: String
  /// The top-level locals of the chunk, in the order in which the kept closure returns them.
  let declared: [String]

  /// Rewrites `source`, where `known` are the locals of earlier chunks; returns nil if that is not necessary.
  init?(_ source: String, known: Set<String>) {
    let bytes = Array(source.utf8)
    let outline = ChunkOutline(bytes, LuaToken.tokens(of: source))
    let used = outline.names.intersection(known).sorted().prefix(Self.mostLocals)
    guard !used.isEmpty || !outline.locals.isEmpty else { return nil }

    declared = Array(outline.locals.suffix(Self.mostLocals))
    var text = "local \((used + [Self.keeper]).joined(separator: ", ")) "
    text += used.isEmpty ? "= ... " : "\(Self.keeper) = ... "
    text += "return function(...) "
    let end = outline.finalReturn ?? bytes.count
    text += String(decoding: bytes[..<end], as: UTF8.self)
    if !declared.isEmpty {
      // The text may end with a comment, so without a final `return` the call begins a new line.
      let separator = outline.finalReturn == nil ? "\n" : " "
      text += "\(separator);\(Self.keeper)(function() return \(declared.joined(separator: ", ")) end) "
    }
    text += String(decoding: bytes[end...], as: UTF8.self)
    self.source = text + "\nend"
  }

  private static let keeper = "_perilune_keep"
  /// Stays below Lua's limit of 200 locals in a function.
  private static let mostLocals = 150
}

/// The top-level declarations and the names of a chunk.
private struct ChunkOutline {
  /// The distinct locals outside of any block, in the order of their last declaration.
  var locals: [String] = []
  /// Every name in the chunk.
  var names: Set<String> = []
  /// The position of the chunk's own `return`.
  var finalReturn: Int?

  init(_ bytes: [UInt8], _ tokens: [LuaToken]) {
    var depth = 0
    var index = 0
    let tokens = tokens.filter { if case .comment = $0.kind { false } else { true } }
    func text(_ index: Int) -> String { index < tokens.count ? tokens[index].text(in: bytes) : "" }
    while index < tokens.count {
      let token = tokens[index]
      if token.kind == .name { names.insert(text(index)) }
      if token.kind == .keyword {
        switch text(index) {
        case "function", "do", "if", "repeat": depth += 1
        case "end", "until": depth -= 1
        case "return" where depth == 0: finalReturn = token.range.lowerBound
        case "local" where depth == 0: declare(namesAfter: index, of: tokens, text)
        default: break
        }
      }
      index += 1
    }
  }

  private mutating func declare(namesAfter index: Int, of tokens: [LuaToken], _ text: (Int) -> String) {
    var next = index + 1
    if text(next) == "function" { next += 1 }
    while next < tokens.count, tokens[next].kind == .name {
      let name = text(next)
      locals.removeAll { $0 == name }
      locals.append(name)
      next += 1
      if text(next) == "<" { next += 3 }
      guard text(next) == "," else { return }
      next += 1
    }
  }
}
