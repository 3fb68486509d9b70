package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"chant/engine"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// rootsLimit is how long a client may take to name its folders.
const rootsLimit = 2 * time.Second

// roots are the folders that a client works in. It is asked for them once, and
// again after it has announced a change.
type roots struct {
	mu       sync.Mutex
	offered  bool // the client can be asked
	answered bool
	dirs     []string
}

func (r *roots) offer(can bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.offered = can
}

func (r *roots) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answered = false
}

// project opens the project for one request: the one around the folder that the
// server was started in, else the first among those that its client works in.
func (s *server) project(ctx context.Context) (*engine.Project, error) {
	return s.projectBy(ctx, s.open)
}

// projectBy is project with another way to open one.
func (s *server) projectBy(ctx context.Context, open func(dir string) (*engine.Project, error)) (*engine.Project, error) {
	p, err := open("")
	var missing *engine.Error
	if !errors.As(err, &missing) || missing.Code != engine.NotFound {
		return p, err
	}
	if client := sessionOf(ctx); client != nil {
		for _, dir := range client.folders(ctx) {
			if p, err := open(dir); err == nil {
				return p, nil
			}
		}
	}
	return nil, noProject(err)
}

// folder is project for what needs none: without one, it opens the first folder of the client, or that of the server.
func (s *server) folder(ctx context.Context) (*engine.Project, error) {
	p, err := s.project(ctx)
	var missing *engine.Error
	if s.o.Folder == nil || !errors.As(err, &missing) || missing.Code != engine.NotFound {
		return p, err
	}
	dir := ""
	if client := sessionOf(ctx); client != nil {
		if dirs := client.folders(ctx); len(dirs) > 0 {
			dir = dirs[0]
		}
	}
	return s.o.Folder(ctx, dir)
}

// folders asks the client where it works. One that does not answer has no folders.
func (s *session) folders(ctx context.Context) []string {
	s.roots.mu.Lock()
	// The lock is held while the client is asked, so that several requests ask once.
	defer s.roots.mu.Unlock()
	if !s.offered || s.answered || s.send == nil {
		return s.dirs
	}
	ctx, stop := context.WithTimeout(ctx, rootsLimit)
	defer stop()
	answer, err := s.ask(ctx, string(mcpgo.MethodListRoots), struct{}{})
	// If the request was cancelled, the client had no time to answer and is asked again.
	s.answered, s.dirs = !errors.Is(ctx.Err(), context.Canceled), nil
	var list struct {
		Roots []json.RawMessage `json:"roots"`
	}
	if err != nil || json.Unmarshal(answer, &list) != nil {
		return nil
	}
	for _, raw := range list.Roots {
		var root struct {
			URI string `json:"uri"`
		}
		if json.Unmarshal(raw, &root) != nil {
			// The other folders may be valid.
			continue
		}
		if dir, ok := folder(root.URI); ok {
			s.dirs = append(s.dirs, dir)
		}
	}
	return s.dirs
}

// folder is the path that a file:// address names.
func folder(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return "", false
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		// Such an address has a slash before the drive letter.
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.FromSlash(path), true
}

// folderOfPrompts opens the project for prompts, which need none where the server serves tools that need none.
func (s *server) folderOfPrompts(ctx context.Context) (*engine.Project, error) {
	for _, t := range s.catalog.Tools {
		if t.ProjectOptional {
			return s.folder(ctx)
		}
	}
	return s.project(ctx)
}
