/// The script of pages as modules, each of a topic: it adds to what works without it.
///
/// To add a module, write it in a file of `Scripts`, name it in `PageAsset` and import it where it is used.
enum PageScript {}
