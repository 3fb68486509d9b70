package keyfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"chant/gitops/rootdir"
	"chant/providers"
)

// Folder returns the folder with the secrets of this machine's user: chant/keys below XDG_CONFIG_HOME, or below the
// configuration folder that is usual on the system. It may not exist. It returns "" if the environment names no folder.
func Folder(environ []string) string {
	config := providers.Variable(environ, "XDG_CONFIG_HOME")
	home := providers.Variable(environ, "HOME")
	switch {
	case filepath.IsAbs(config): // on every system
	case runtime.GOOS == "windows":
		config = providers.Variable(environ, "APPDATA")
	case runtime.GOOS == "darwin" && filepath.IsAbs(home):
		config = filepath.Join(home, "Library", "Application Support")
	case filepath.IsAbs(home):
		config = filepath.Join(home, ".config")
	default:
		config = ""
	}
	// A relative folder would depend on where chant is started.
	if !filepath.IsAbs(config) {
		return ""
	}
	return filepath.Join(config, "chant", "keys")
}

// Private returns the paths that must be hidden from whatever must not sign: Folder, and the private key of OpenSSH if it
// signs. Symbolic links are not resolved, also not those in Folder: hide what disk.Leads returns for each of them.
func Private(environ []string) []string {
	folder := Folder(environ)
	if folder == "" {
		return nil
	}
	// A file that is missing yet could be made while an agent runs.
	out := []string{folder}
	if ref, err := readSecret(filepath.Join(folder, sshName)); err == nil {
		out = append(out, strings.TrimSpace(string(ref)))
	}
	return out
}

// The files in Folder.
const (
	privateName = "key.pem"     // the private key, in PKCS #8 form
	sshName     = "key.ssh"     // instead: the path of a private key of OpenSSH
	PublicName  = "key.pub"     // the public key, in PKIX form; written last
	journalName = "journal.key" // the secret of journals
)

// FileError is what is wrong with a file of keys.
type FileError struct {
	Path, Why string
	Err       error
}

// Error names the file.
func (e *FileError) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.Why) }

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }

// fileError returns the error about a file.
func fileError(path string, err error) error {
	if known, ok := errors.AsType[*FileError](err); ok {
		return known
	}
	// The path would be in the message twice.
	if bad, ok := errors.AsType[*fs.PathError](err); ok {
		return &FileError{path, bad.Err.Error(), err}
	}
	return &FileError{path, err.Error(), err}
}

// readSecret reads a file that only its owner may read; fs.ErrNotExist without one.
func readSecret(path string) ([]byte, error) {
	// People link their keys from elsewhere.
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err != nil:
		return nil, fileError(path, err)
	case !info.Mode().IsRegular():
		return nil, &FileError{Path: path, Why: "is not a file"}
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, &FileError{Path: path, Why: "others may read it (chmod 600)"}
	// The sandbox hides a path, and what is allowed at another one is allowed for the file.
	case rootdir.Linked(info):
		return nil, &FileError{Path: path, Why: "has another name, a hard link, by which agents could read it (replace it by a copy)"}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	return text, nil
}

// writeNew writes a file that must not exist.
func writeNew(path string, text []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return fileError(path, err)
	}
	_, err = f.Write(text)
	// Synced, since a key that is lost after it has signed makes its evidence unverifiable.
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fileError(path, err)
	}
	return nil
}
