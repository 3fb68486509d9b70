package library

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"chant/engine"
	"chant/engine/format/climpt"
	"chant/engine/prompt"
	"chant/engine/store/disk"
)

// Files says which files a call may read.
type Files struct {
	Folder   string // to which paths are relative; "" = the worktree of the caller
	Anywhere bool   // also outside of the project

	// Stdin reads the text for {input_text}, where that is used and no other is given; nil, or an empty text = there is
	// none.
	Stdin func() (string, error)
}

// Names of variables that every call may have.
const (
	InputText   = "input_text"
	InputFile   = "input_text_file"
	Destination = "destination_path"
)

// checkVariables refuses variables that the command neither describes nor uses.
func (t Text) checkVariables(given climpt.Given, used []string) error {
	var known []string
	for _, v := range t.Variables {
		known = append(known, v.Name)
	}
	for _, name := range used {
		if v, ok := strings.CutPrefix(name, "uv-"); ok && !slices.Contains(known, v) {
			known = append(known, v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given.Variables)) {
		if !slices.Contains(known, name) {
			return UnknownVariable(name, known)
		}
	}
	return nil
}

// UnknownVariable refuses a variable that a command does not have.
func UnknownVariable(name string, known []string) error {
	if len(known) == 0 {
		return fmt.Errorf("unknown variable %q (the command has none)", name)
	}
	return fmt.Errorf("unknown variable %q (the command has %s)", name, strings.Join(known, ", "))
}

// AddUsual adds what climpt has for a path that a call does not give, where no spec has a value for it.
func AddUsual(values map[string]string) {
	for name, usual := range map[string]string{InputFile: "stdin", Destination: "stdout"} {
		if _, given := values[name]; !given {
			values[name] = usual
		}
	}
}

// Values are the values of the variables that a call gives. The file is read only where its text has a place. Errors:
// plain ones for variables that the command neither describes nor uses, and for files that cannot be read.
func (t Text) Values(p *engine.Project, given climpt.Given, files Files) (map[string]string, error) {
	used := prompt.Names(t.Body)
	if err := t.checkVariables(given, used); err != nil {
		return nil, err
	}
	values := map[string]string{}
	if given.File != "" {
		values[InputFile] = given.File
	}
	if given.Destination != "" {
		values[Destination] = given.Destination
		if !filepath.IsAbs(given.Destination) {
			values[Destination] = t.Prefix + given.Destination
		}
	}
	for name, value := range given.Variables {
		values["uv-"+name] = value
	}
	// A caller without a pipe would wait for a terminal, so stdin is read only where its text has a place.
	if given.Stdin == nil && files.Stdin != nil && slices.Contains(used, InputText) {
		input, err := files.Stdin()
		if err != nil {
			return nil, err
		}
		if input != "" {
			given.Stdin = &input
		}
	}
	switch {
	case given.Stdin != nil:
		values[InputText] = *given.Stdin
	case given.File != "" && slices.Contains(used, InputText):
		src, err := files.read(p, given.File)
		if err != nil {
			return nil, err
		}
		values[InputText] = src
	}
	return values, nil
}

// maxInput is how many bytes of a file a prompt may have.
const maxInput = 1 << 20

// read reads the file whose text the prompt has a place for.
func (f Files) read(p *engine.Project, file string) (string, error) {
	full, root := filepath.FromSlash(file), p.Repo.Dir()
	if p.Folder != "" {
		root = projectDir(p)
	}
	if !filepath.IsAbs(full) {
		folder := f.Folder
		if folder == "" {
			folder = root
		}
		full = filepath.Join(folder, full)
	}
	// A client could otherwise have any file of the user sent to a model.
	if !f.Anywhere && !disk.Within(root, full) {
		return "", fmt.Errorf("file %q is outside of the project", file)
	}
	info, err := os.Stat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("file %q does not exist", file)
	case err != nil:
		return "", err
	case info.IsDir():
		return "", fmt.Errorf("file %q is a folder", file)
	// To open a pipe could take forever.
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("file %q is not a regular file", file)
	}
	in, err := os.Open(full)
	if err != nil {
		return "", err
	}
	defer in.Close()
	return ReadInput(in, fmt.Sprintf("file %q", file))
}

// ReadInput reads the text for a prompt; the name is for messages. Errors: plain ones for a text that is too large, or
// that is not UTF-8.
func ReadInput(in io.Reader, name string) (string, error) {
	// One byte more than allowed shows that there are more.
	src, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	switch {
	case err != nil:
		return "", err
	case len(src) > maxInput:
		return "", fmt.Errorf("%s is larger than 1 MiB", name)
	case !utf8.Valid(src):
		return "", fmt.Errorf("%s is not a text in UTF-8", name)
	}
	return string(src), nil
}
