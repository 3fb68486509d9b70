package adopted

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"chant/engine/format/tasklist"
	"chant/engine/spec"
)

// Bounds of a folder: features that people write stay far below.
const (
	maxFiles = 1000
	maxBytes = 16 << 20
)

// readFolder lists the files of the folder and computes the digest of their text. Links, and files that are neither text
// nor regular, are left out.
func readFolder(files fs.FS, a *spec.Adopted) error {
	sum, size := sha256.New(), 0
	return walk(files, a.Dir, func(file string) error {
		if len(a.Files) == maxFiles {
			return fmt.Errorf("it has more than %d files", maxFiles)
		}
		src, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		if size += len(src); size > maxBytes {
			return fmt.Errorf("its files are larger than %d MB together", maxBytes>>20)
		}
		a.Files = append(a.Files, file)
		// Ticking a box is not a change of the text, and line ends depend on the checkout.
		plain := spec.UnixLineEnds(untick(file, src))
		// Writing to a hash cannot fail.
		fmt.Fprintf(sum, "%q %d\n", strings.TrimPrefix(file, a.Dir+"/"), len(plain))
		sum.Write(plain)
		a.Digest = hex.EncodeToString(sum.Sum(nil))
		return nil
	})
}

// walk visits the regular files below a folder in the order of their paths, without those whose names begin with a dot.
func walk(files fs.FS, dir string, visit func(file string) error) error {
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			err = walk(files, name, visit)
		case e.Type().IsRegular():
			err = visit(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// untick returns a file with all of its boxes unticked; other files than Markdown have none.
func untick(file string, src []byte) []byte {
	if !strings.HasSuffix(strings.ToLower(file), ".md") {
		return src
	}
	out := src
	for _, t := range tasklist.Parse(src).Tasks {
		if t.Done {
			// Most files have no tick and are not copied.
			if &out[0] == &src[0] {
				out = append([]byte{}, src...)
			}
			out[t.Offset] = ' '
		}
	}
	return out
}
