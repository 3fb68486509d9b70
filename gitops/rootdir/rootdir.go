package rootdir

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// ErrNotFolder is the error for a folder that is something else, such as a link.
var ErrNotFolder = errors.New("not a folder")

// ErrNotFile is the error for a file that is something else, such as a pipe, or larger than allowed.
var ErrNotFile = errors.New("not a plain file of a usual size")

// In calls do with an open folder. The path must not be a link. Errors: fs.ErrNotExist, ErrNotFolder.
func In(dir string, do func(*os.Root) error) (err error) {
	root, err := Open(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return do(root)
}

// Open opens a folder. The path must not be a link. Errors: fs.ErrNotExist, ErrNotFolder.
func Open(dir string) (*os.Root, error) {
	seen, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if !seen.IsDir() {
		return nil, fmt.Errorf("%q: %w", dir, ErrNotFolder)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	// It could have been replaced by a link between the two calls.
	if opened, err := root.Stat("."); err != nil || !os.SameFile(seen, opened) {
		return nil, errors.Join(fmt.Errorf("%q: %w", dir, ErrNotFolder), err, root.Close())
	}
	return root, nil
}

// Write gives a file, slash-separated from the folder, this content and mode. What is in its place is replaced, a folder
// too; folders above it are created.
func Write(root *os.Root, name string, content []byte, mode fs.FileMode) (err error) {
	name = filepath.FromSlash(name)
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	// A new file is renamed into place: the old one may be linked elsewhere, and a reader never sees half of the content.
	temp := filepath.Join(filepath.Dir(name), ".chant-"+rand.Text())
	// The random name cannot be guessed, and O_EXCL refuses a link that is there all the same.
	file, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, root.Remove(temp))
		}
	}()
	_, err = file.Write(content)
	if err = errors.Join(err, file.Chmod(mode), file.Close()); err != nil {
		return err
	}
	// A file cannot be renamed over a folder.
	if info, statErr := root.Lstat(name); statErr == nil && info.IsDir() {
		if err := RemoveAll(root, name); err != nil {
			return err
		}
	}
	return root.Rename(temp, name)
}

// Overwrite gives a plain file that has the content have another one, which must not be longer, in its place: for a file system
// without space for a second file. A crash meanwhile leaves parts of both. Errors: ErrNotFile, also for a file with another
// content or name.
func Overwrite(root *os.Root, name string, have, content []byte) (err error) {
	file, err := root.OpenFile(filepath.FromSlash(name), os.O_RDWR|Nonblock, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	// The open file is looked at, not the path, which may lead to another one by now.
	info, err := file.Stat()
	if err != nil {
		return err
	}
	notFile := &fs.PathError{Op: "write", Path: name, Err: ErrNotFile}
	if !info.Mode().IsRegular() || Linked(info) || info.Size() != int64(len(have)) || len(content) > len(have) {
		return notFile
	}
	if now, err := io.ReadAll(io.LimitReader(file, info.Size())); err != nil || !bytes.Equal(now, have) {
		return errors.Join(notFile, err)
	}
	if _, err := file.WriteAt(content, 0); err != nil {
		return err
	}
	return errors.Join(file.Truncate(int64(len(content))), file.Sync())
}

// LinkAbove returns the first folder above a slash-separated path that is a link, "" if none is. It explains an error: what
// it returns may have changed since.
func LinkAbove(dir, name string) string {
	for at := range len(name) {
		if name[at] != '/' {
			continue
		}
		if info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name[:at]))); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return name[:at]
		}
	}
	return ""
}

// DropLinks removes what is in the place of a folder above a slash-separated path and is none, such as a link.
func DropLinks(root *os.Root, name string) error {
	for at := range len(name) {
		if name[at] != '/' {
			continue
		}
		info, err := root.Lstat(filepath.FromSlash(name[:at]))
		if err != nil {
			// There is nothing there.
			return nil //nolint:nilerr
		}
		if !info.IsDir() {
			return RemoveAll(root, name[:at])
		}
	}
	return nil
}

// Read returns the content of a plain file of at most max bytes. Errors: fs.ErrNotExist, ErrNotFile.
func Read(root *os.Root, name string, max int64) ([]byte, error) {
	// The opening of a pipe would wait for its other end.
	file, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|Nonblock, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	// The open file is looked at, not the path, which may lead to another one by now.
	if !info.Mode().IsRegular() || info.Size() > max {
		return nil, &fs.PathError{Op: "read", Path: name, Err: ErrNotFile}
	}
	text, err := io.ReadAll(io.LimitReader(file, max+1))
	// The file has grown since.
	if err == nil && int64(len(text)) > max {
		err = &fs.PathError{Op: "read", Path: name, Err: ErrNotFile}
	}
	return text, err
}

// Holds reports whether a path is a plain file, no link, with this content.
func Holds(root *os.Root, name string, content []byte) bool {
	info, err := root.Lstat(filepath.FromSlash(name))
	// A file with another name can be changed by that name after this look.
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(content)) || Linked(info) {
		return false
	}
	text, err := Read(root, name, int64(len(content)))
	return err == nil && bytes.Equal(text, content)
}

// maxDepth is how many folders RemoveAll goes down before it moves what is below up. Each costs an open file.
const maxDepth = 100

// RemoveAll removes what is at a path below the folder, whatever modes and however many levels it has; nothing is fine.
func RemoveAll(root *os.Root, name string) error {
	name = filepath.FromSlash(name)
	// The library is faster, but fails at folders without permissions and at more levels than a process can have open files.
	if err := root.RemoveAll(name); err == nil {
		return nil
	}
	return removeSlowly(root, name)
}

// removeSlowly removes what os.Root.RemoveAll cannot: folders without the permission to list or change them, and more levels
// than a process can have open files.
func removeSlowly(root *os.Root, name string) error {
	r := &remover{root: root}
	err := r.remove(name, 0)
	// Folders that were moved up are again at the first level.
	for len(r.raised) > 0 && err == nil {
		next := r.raised[0]
		r.raised = r.raised[1:]
		err = r.remove(next, 0)
	}
	return err
}

// remover removes folders of any depth.
type remover struct {
	root   *os.Root
	raised []string // folders that were moved up, directly below the root
}

func (r *remover) remove(name string, level int) (err error) {
	defer func() {
		// At any step, another process may remove the same.
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}()
	info, err := r.root.Lstat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return r.root.Remove(name)
	}
	// Without these permissions, what is in the folder can be neither listed nor removed.
	if info.Mode().Perm()&0o700 != 0o700 {
		if err := r.root.Chmod(name, 0o700); err != nil {
			return err
		}
	}
	// Each level costs an open file, so what is deeper is moved up and removed from there.
	if level == maxDepth {
		up := ".chant-" + rand.Text()
		r.raised = append(r.raised, up)
		return r.root.Rename(name, up)
	}
	entries, err := List(r.root, name)
	for _, e := range entries {
		if err != nil {
			return err
		}
		err = r.remove(filepath.Join(name, e.Name()), level+1)
	}
	if err != nil {
		return err
	}
	return r.root.Remove(name)
}

// List returns what is in a folder below root, in no order.
func List(root *os.Root, name string) ([]fs.DirEntry, error) {
	dir, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|Nonblock, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.ReadDir(-1)
}

// Remove removes a folder, or whatever else is at a path, with all that it holds; nothing is fine. The folder around it is
// the person's, as is the path to it.
func Remove(dir string) error {
	// The folder around it is the person's, so links on the way to it are theirs too.
	root, err := os.OpenRoot(filepath.Dir(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(RemoveAll(root, filepath.Base(dir)), root.Close())
}

// RemoveEach removes what is at slash-separated paths below a folder, with all that they hold.
func RemoveEach(dir string, names ...string) error {
	if len(names) == 0 {
		return nil
	}
	return In(dir, func(root *os.Root) error {
		for _, name := range names {
			if err := RemoveAll(root, name); err != nil {
				return err
			}
		}
		return nil
	})
}

// maxWalkDepth is how many levels Walk goes down. No file that git or a tool reads is deeper: Linux takes no path of more
// than 4096 bytes.
const maxWalkDepth = 2048

// Walk calls do for all that is below a folder, by slash-separated paths from root, folders before what they hold. It
// follows no link. What cannot be listed is passed over, and so is what do returns fs.SkipDir for.
func Walk(root *os.Root, do func(name string, kind fs.FileMode) error) error {
	return walker{do}.walk(root, ".", ".", 0)
}

// walker walks folders. Each path is opened part by part, so that a new root every few levels saves most of that.
type walker struct {
	do func(name string, kind fs.FileMode) error
}

// levelsOfRoot is after how many levels a folder is opened as a new root.
const levelsOfRoot = 32

// walk walks a folder at a path below root, which has a name below the first root.
func (w walker) walk(root *os.Root, at, name string, level int) error {
	// A path is opened part by part, so that a new root every few levels saves most of that.
	if level > 0 && level%levelsOfRoot == 0 {
		sub, err := root.OpenRoot(at)
		if err != nil {
			// It cannot be listed either.
			return nil //nolint:nilerr
		}
		defer sub.Close()
		root, at = sub, "."
	}
	entries, err := List(root, at)
	if err != nil || level == maxWalkDepth {
		// What cannot be listed is passed over, as what is deeper than any tool reads.
		return nil //nolint:nilerr
	}
	for _, e := range entries {
		below := path.Join(name, e.Name())
		switch err := w.do(below, e.Type()); {
		case errors.Is(err, fs.SkipDir):
			continue
		case err != nil:
			return err
		}
		if !e.IsDir() {
			continue
		}
		if err := w.walk(root, path.Join(at, e.Name()), below, level+1); err != nil {
			return err
		}
	}
	return nil
}

// GrantRead gives the owner of a folder the right to list and enter the folders below it, and to read their files, where that
// is missing. The folder of git is left out.
func GrantRead(dir string) error {
	// Root reads without rights, and the modes of files are part of nothing that git keeps.
	if os.Geteuid() == 0 {
		return nil
	}
	return In(dir, func(root *os.Root) error {
		return Walk(root, func(name string, kind fs.FileMode) error {
			needed := fs.FileMode(0o400)
			switch {
			case name == ".git":
				return fs.SkipDir
			case kind.IsDir():
				needed = 0o500
			case !kind.IsRegular():
				return nil
			}
			info, err := root.Lstat(name)
			if err != nil || info.Mode().Perm()&needed == needed {
				// It may have been removed since.
				return nil //nolint:nilerr
			}
			err = root.Chmod(name, info.Mode()&(fs.ModePerm|fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky)|needed)
			if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
				// It is another user's. Git reports what it cannot read of it.
				return nil
			}
			return err
		})
	})
}
