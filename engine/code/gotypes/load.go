package gotypes

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"chant/engine/code/exact"
)

const (
	maxTime    = time.Minute
	maxBytes   = 256 << 20 // of source files, those of dependencies included
	maxModules = 50
	// soon is after how many seconds packages that were missing are looked for again.
	soon = 10 * 60
)

// Request says what is to be checked.
type Request struct {
	Root    string   // the top of the worktree, absolute
	Modules []string // the folders with a go.mod, relative to the root, "." for the root
	// Read returns the content of a file of the worktree as it is indexed; false if it is not indexed. It is called by
	// several goroutines.
	Read    func(name string) ([]byte, bool)
	Now     time.Time
	Environ []string // in which go is found and runs
}

// Load checks the types of all Go packages of a worktree. What cannot be checked is reported as a notice of the facts. The
// error is ErrNoGo, or that of the context.
func Load(ctx context.Context, r Request) (*exact.Facts, error) {
	command, err := find(r.Environ)
	if err != nil {
		return nil, err
	}
	// The limit is one for all modules: research waits for the whole.
	limited, cancel := context.WithTimeoutCause(ctx, maxTime, fmt.Errorf("it takes longer than %s", maxTime))
	defer cancel()
	l := &loader{Request: r, command: command, set: token.NewFileSet(), sizes: types.SizesFor("gc", runtime.GOARCH), standard: map[string]*unit{}}
	if len(r.Modules) > maxModules {
		l.notice("Go links of %d of %d modules are found by names: at most %d are checked.", len(r.Modules)-maxModules, len(r.Modules), maxModules)
	}
	for _, module := range r.Modules[:min(len(r.Modules), maxModules)] {
		switch err := l.module(limited, module); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		// The other modules are found by names as well: there is no time left for them.
		case limited.Err() != nil:
			err = context.Cause(limited)
			fallthrough
		case err != nil:
			l.notice("Go links of the module in %s are found by names: %s.", folder(module), err)
		}
	}
	return l.facts(), nil
}

func folder(module string) string {
	if module == "." {
		return "the top folder"
	}
	return module + "/"
}

// loader checks the modules of one worktree.
type loader struct {
	Request
	command  string
	set      *token.FileSet
	sizes    types.Sizes
	standard map[string]*unit // packages of Go's library that were checked, for all modules
	found    findings

	mu     sync.Mutex
	bytes  int64
	beside map[string]exact.Beside
}

func (l *loader) notice(format string, args ...any) {
	l.found.notices = append(l.found.notices, fmt.Sprintf(format, args...))
}

// errTooLarge means that there is more source than maxBytes.
var errTooLarge = fmt.Errorf("it and what it needs have more than %d MiB of Go", maxBytes>>20)

// module checks one module.
func (l *loader) module(ctx context.Context, module string) error {
	list, err := l.list(ctx, module, true)
	// A workspace need not contain the module.
	if ctx.Err() == nil && (err != nil || isOutside(list)) {
		list, err = l.list(ctx, module, false)
	}
	if err != nil {
		return err
	}
	b := newBuild(l, list)
	if err := b.parse(ctx); err != nil {
		return err
	}
	if err := b.check(ctx); err != nil {
		return err
	}
	b.collect()
	return nil
}

// isOutside reports whether go has listed nothing because the folder belongs to no module of the workspace.
func isOutside(list []listedPackage) bool {
	return !slices.ContainsFunc(list, func(p listedPackage) bool { return len(p.GoFiles) > 0 })
}

// relativePath returns the path of a file relative to the root, with slashes; false if it is outside.
func (l *loader) relativePath(name string) (string, bool) {
	below, ok := strings.CutPrefix(name, l.Root+string(filepath.Separator))
	return filepath.ToSlash(below), ok
}

// read returns the content of a Go file.
func (l *loader) read(u *unit, name string) ([]byte, error) {
	text, err := l.contentOf(u, name)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bytes += int64(len(text)); l.bytes > maxBytes {
		return nil, errTooLarge
	}
	return text, err
}

func (l *loader) contentOf(u *unit, name string) ([]byte, error) {
	below, inside := l.relativePath(name)
	if inside {
		if text, ok := l.Read(below); ok {
			return text, nil
		}
	}
	// What git ignores and what is replaced by a folder can change without a trace in the manifest.
	if inside || !u.isFixed() {
		b := ReadBeside(name)
		l.mu.Lock()
		if l.beside == nil {
			l.beside = map[string]exact.Beside{}
		}
		l.beside[name] = b
		l.mu.Unlock()
	}
	return os.ReadFile(name)
}

// ReadBeside returns the stamp of a file.
func ReadBeside(name string) exact.Beside {
	info, err := os.Stat(name)
	if err != nil {
		return exact.Beside{Path: name}
	}
	return exact.Beside{Path: name, Size: info.Size(), Modified: info.ModTime().UnixNano()}
}

// Modules returns the folders of the modules among the files of a worktree, without those that go itself passes over.
func Modules(files []string) []string {
	var list []string
	for _, name := range files {
		if path.Base(name) == "go.mod" && !isPassedOver(path.Dir(name)) {
			list = append(list, path.Dir(name))
		}
	}
	return list
}

func isPassedOver(dir string) bool {
	for part := range strings.SplitSeq(dir, "/") {
		if part == "testdata" || part == "vendor" || part != "." && strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") {
			return true
		}
	}
	return false
}
