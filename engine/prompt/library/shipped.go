package library

import (
	"embed"
	"io/fs"
	"path"
	"strings"

	"chant/engine/format/climpt"
)

// shippedDir has the commands that are part of the program, in the layout of .agent/AGENT/prompts.
const shippedDir = "shipped"

//go:embed shipped
var shippedFiles embed.FS

// shippedEntries describes the shipped commands.
func shippedEntries() ([]Entry, error) {
	var out []Entry
	err := fs.WalkDir(shippedFiles, shippedDir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		words := strings.Split(path.Dir(file), "/")
		t, err := shippedText(climpt.Name{C1: words[1], C2: words[2], C3: words[3]})
		out = append(out, Entry{Command: t.Command, Source: FromShipped})
		return err
	})
	return out, err
}

// shippedText is the prompt of a shipped command.
func shippedText(name climpt.Name) (Text, error) {
	base := climpt.FileName("", "")
	src, err := fs.ReadFile(shippedFiles, path.Join(shippedDir, name.C1, name.C2, name.C3, base))
	if err != nil {
		return Text{}, err
	}
	return readText(name.String()+" (shipped)", name, base, src)
}
