"""Makes the extension for Visual Studio Code: vsix.py VERSION FILE. The same sources give the same bytes.

A .vsix is a zip file: a manifest, a list of types, and the files of the extension in a folder.
"""

import json
import pathlib
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

FILES = ["README.md", "connection.js", "converting.js", "extension.js", "package.json", "server.js"]

TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension=".js" ContentType="application/javascript"/>
<Default Extension=".json" ContentType="application/json"/>
<Default Extension=".md" ContentType="text/markdown"/>
<Default Extension=".txt" ContentType="text/plain"/>
<Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"""


def manifest(package):
    """What an editor reads before it installs the extension."""
    identity = " ".join(
        f"{name}={quoteattr(value)}"
        for name, value in [
            ("Language", "en-US"),
            ("Id", package["name"]),
            ("Version", package["version"]),
            ("Publisher", package["publisher"]),
        ]
    )
    engine = quoteattr(package["engines"]["vscode"])
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity {identity}/>
<DisplayName>{escape(package["displayName"])}</DisplayName>
<Description xml:space="preserve">{escape(package["description"])}</Description>
<Categories>{escape(",".join(package["categories"]))}</Categories>
<License>extension/LICENSE.txt</License>
<Properties>
<Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
<Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
</Properties>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
</Assets>
</PackageManifest>
"""


def main(version, path):
    root = pathlib.Path(__file__).parents[2]
    source = root / "Editors/VSCode"
    package = json.loads((source / "package.json").read_text())
    package["version"] = version
    contents = {
        "[Content_Types].xml": TYPES,
        "extension.vsixmanifest": manifest(package),
        "extension/LICENSE.txt": (root / "LICENSE").read_text(),
    }
    for name in FILES:
        contents["extension/" + name] = (source / name).read_text()
    contents["extension/package.json"] = json.dumps(package, indent=2, ensure_ascii=False) + "\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in contents.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
