internal import LuaRuntime

/// What is global in every state, before any store is opened.
enum Globals {
  /// The functions; to add one, write it where it belongs and add its list here.
  static let functions: [GlobalFunction] =
    ModelBinding.functions + PredicateBinding.functions

  /// The members of every kind of thing.
  static let entries: [CatalogEntry] =
    TypeWord.globalEntries + BoundDecimal.entries + DateBinding.entries + AttributeDraft.entries
    + BoundModel.entries + BoundPredicate.entries + BoundSortDescriptor.entries
}

extension Engine {
  /// Makes the functions, type words and `null` globals.
  func installGlobals() {
    for function in Globals.functions {
      lua.setGlobal(function.name) { [unowned self] stack in
        try function.body(Call(engine: self, stack: stack, name: function.name))
      }
    }
    for word in TypeWord.all {
      typeWords.push(word, on: lua.stack)
      lua.setGlobal(word.name)
    }
    lua.stack.push(null)
    lua.setGlobal("null")
  }
}
