package gotypes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"chant/providers"
)

// ErrNoGo means that there is no go command.
var ErrNoGo = errors.New("no go command is on PATH")

// find returns the path of the go command in an environment. Error: ErrNoGo.
func find(environ []string) (string, error) {
	for _, dir := range filepath.SplitList(providers.Variable(environ, "PATH")) {
		// A folder of PATH that is not absolute may be one of the repository.
		if !filepath.IsAbs(dir) {
			continue
		}
		if name, err := exec.LookPath(filepath.Join(dir, "go")); err == nil {
			return name, nil
		}
	}
	return "", ErrNoGo
}

// version is raised when other facts are found in the same files.
const version = "1"

// Identity names what the facts depend on beside files: the go command, the system that it builds for, this package. It
// runs nothing.
func Identity(environ []string) string {
	command, err := find(environ)
	if err != nil {
		return version
	}
	of := ReadBeside(command)
	all := []string{version, runtime.Version(), runtime.GOARCH, of.Path, strconv.FormatInt(of.Size, 10), strconv.FormatInt(of.Modified, 10)}
	for _, name := range []string{"GOOS", "GOARCH", "GOEXPERIMENT", "GOPATH", "GOMODCACHE", "GOROOT", "GOENV"} {
		all = append(all, providers.Variable(environ, name))
	}
	return strings.Join(all, "\n")
}

// listedPackage is a package as go list describes it.
type listedPackage struct {
	ImportPath, Name, Dir, ForTest string
	GoFiles, Imports               []string
	ImportMap                      map[string]string
	Standard, DepOnly              bool
	Error                          *struct{ Err string }
	Module                         *module
}

// module is where a package comes from.
type module struct {
	Version string
	Replace *struct{ Version string }
}

// isFixed reports whether the files of a package never change: those of Go's library, and of a version of a module.
func (p listedPackage) isFixed() bool {
	return p.Standard || p.Module != nil && p.Module.Version != "" && (p.Module.Replace == nil || p.Module.Replace.Version != "")
}

// maxListed limits the output of go list, in bytes.
const maxListed = 256 << 20

// list asks go for the packages of a module, with their tests and with all that they need. It downloads nothing, writes
// nothing into the repository and runs nothing from it.
func (l *loader) list(ctx context.Context, module string, workspace bool) ([]listedPackage, error) {
	const fields = "-json=ImportPath,Name,Dir,ForTest,GoFiles,Imports,ImportMap,Standard,DepOnly,Error,Module"
	cmd := exec.CommandContext(ctx, l.command, "list", "-e", "-deps", "-test", fields, "--", "./...")
	cmd.Dir = filepath.Join(l.Root, filepath.FromSlash(module))
	cmd.Env = environment(l.Environ, cmd.Dir, workspace)
	// go list starts processes of its own, which must end with it.
	cmd.SysProcAttr = ownGroup()
	cmd.Cancel = func() error { return endGroup(cmd.Process) }
	// A process that keeps the pipe open does not keep this one waiting.
	cmd.WaitDelay = time.Second
	out, errs := &cappedBuffer{most: maxListed}, &cappedBuffer{most: 64 << 10}
	cmd.Stdout, cmd.Stderr = out, errs
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if out.over {
		return nil, fmt.Errorf("go list prints more than %d MiB", maxListed>>20)
	}
	var list []listedPackage
	for d := json.NewDecoder(&out.Buffer); ; {
		var p listedPackage
		if bad := d.Decode(&p); errors.Is(bad, io.EOF) {
			break
		} else if bad != nil {
			return nil, fmt.Errorf("the output of go list cannot be read: %w", bad)
		}
		list = append(list, p)
	}
	// With errors in some packages, go list fails and still lists the rest.
	if err != nil && len(list) == 0 {
		return nil, fmt.Errorf("go list: %s", firstLine(errs.String(), err.Error()))
	}
	return list, nil
}

// firstLine returns the first line of a text that is not empty, or else other.
func firstLine(text, other string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimPrefix(strings.TrimSpace(line), "go: "); line != "" {
			return line
		}
	}
	return other
}

// environment returns the environment of go list: that of this process without what changes modules, downloads, or lets go
// start other programs. A workspace is used as the repository has it, or not at all.
func environment(all []string, dir string, workspace bool) []string {
	dropped := []string{"GOFLAGS", "GOPROXY", "GOTOOLCHAIN", "GOSUMDB", "GOWORK", "GONOPROXY", "GOVCS", "GO111MODULE", "CGO_ENABLED", "PWD"}
	env := slices.DeleteFunc(slices.Clone(all), func(one string) bool {
		name, _, _ := strings.Cut(one, "=")
		return slices.Contains(dropped, name)
	})
	if !workspace {
		env = append(env, "GOWORK=off")
	}
	// Flags that are not empty hide those of the user's go env. Without GONOPROXY, modules of GOPRIVATE would be fetched
	// although there is no proxy.
	return append(env, "GOFLAGS=-buildvcs=false", "GOPROXY=off", "GOSUMDB=off", "GONOPROXY=none", "GOVCS=*:off", "GOTOOLCHAIN=local",
		"GO111MODULE=on", "CGO_ENABLED=0", "PWD="+dir)
}

// cappedBuffer keeps the first bytes and forgets the rest.
type cappedBuffer struct {
	bytes.Buffer
	most int
	over bool
}

func (c *cappedBuffer) Write(p []byte) (int, error) {
	// Bytes beyond the limit are accepted and forgotten, so that the writer never blocks.
	room := min(len(p), c.most-c.Len())
	c.over = c.over || room < len(p)
	c.Buffer.Write(p[:room])
	return len(p), nil
}
