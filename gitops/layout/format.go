package layout

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// Format is what the configuration of a repository says about how it is stored.
type Format struct {
	Bare     bool   // it has no main worktree
	worktree string // core.worktree, as written
	HashSize int    // bytes of an object name
	Foreign  bool   // objects that go-git cannot read
	Reftable bool   // refs that are not files
	Shared   bool   // files need modes that only git sets
}

// readFormat reads the repository's own configuration files.
func readFormat(common string) (Format, error) {
	form := Format{HashSize: 20}
	cfg, err := readConfig(filepath.Join(common, "config"))
	if err != nil {
		return form, err
	}
	form.extensions(cfg)
	form.core(cfg)
	// Git reads this file only with the extension set.
	if cfg.Section("extensions").Option("worktreeConfig") == "" {
		return form, nil
	}
	own, err := readConfig(filepath.Join(common, "config.worktree"))
	if err != nil {
		return form, err
	}
	form.core(own)
	return form, nil
}

// readConfig parses one file; a missing one is empty. What go-git's parser cannot read
// counts as a foreign format, so that git, which perhaps can, does the reading.
func readConfig(path string) (*config.Config, error) {
	cfg := config.New()
	text, err := ReadPlain(path)
	if errors.Is(err, fs.ErrNotExist) {
		return cfg, nil
	}
	if err != nil {
		return nil, err
	}
	if err := config.NewDecoder(bytes.NewReader(text)).Decode(cfg); err != nil {
		// An unknown extension makes the format foreign, so that git does the reading.
		cfg.Section("extensions").SetOption("unreadable", "true")
	}
	return cfg, nil
}

func (f *Format) core(cfg *config.Config) {
	core := cfg.Section("core")
	if v := core.Option("bare"); v != "" {
		f.Bare = parseBool(v)
	}
	if v := core.Option("worktree"); v != "" {
		f.worktree = v
	}
	if v := core.Option("sharedRepository"); v != "" && v != "umask" && v != "0" && v != "false" {
		f.Shared = true
	}
}

func (f *Format) extensions(cfg *config.Config) {
	for _, o := range cfg.Section("extensions").Options {
		switch name, value := strings.ToLower(o.Key), strings.ToLower(o.Value); name {
		case "noop", "noop-v1", "worktreeconfig", "partialclone", "preciousobjects", "relativeworktrees":
			// These change nothing for a reader of objects.
		case "objectformat":
			if value == "sha256" {
				f.HashSize, f.Foreign = 32, true
			}
		case "refstorage":
			f.Reftable = value != "files"
		default:
			// An extension that is not known here can change anything, so git reads both objects and refs.
			f.Foreign, f.Reftable = true, true
		}
	}
}

func parseBool(value string) bool {
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}
