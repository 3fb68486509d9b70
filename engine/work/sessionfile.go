package work

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/store/disk"
	"chant/gitops/lockfile"
)

const (
	claimAgain = time.Second            // between two looks whether the server that owns the file has ended
	probeLimit = 500 * time.Millisecond // for a server to say that it is there
)

// Announced is a session file that a server of this process has written, or will write when it is its turn. Its owner
// holds a lock beside the file, which ends with its process, however that ends.
type Announced struct {
	Waits string // that another server has the file, for people; "" if this one had it at once

	path    string
	content []byte
	after   func(time.Duration) <-chan time.Time
	lock    *lockfile.Lock // nil until the file is ours; read it when ended is closed
	failed  error          // why the file could not be written later; likewise
	stop    context.CancelFunc
	owned   chan struct{}
	ended   chan struct{}
}

// Owned is closed when the file is that of this server.
func (a *Announced) Owned() <-chan struct{} { return a.owned }

// begin writes the file, or waits for its turn in the background.
func (a *Announced) begin(ctx context.Context) error {
	ctx, a.stop = context.WithCancel(ctx)
	taken, err := a.claim(ctx)
	if err != nil || taken == nil {
		a.stop()
		close(a.ended)
		return err
	}
	a.Waits = fmt.Sprintf("%s is the file of another server (%s); this one writes it when that has ended", a.path, taken)
	go func() {
		// The field taken is this goroutine's alone until ended is closed.
		defer close(a.ended)
		for taken != nil {
			select {
			case <-ctx.Done():
				return
			case <-a.after(claimAgain):
			}
			if taken, a.failed = a.claim(ctx); a.failed != nil {
				return
			}
		}
	}()
	return nil
}

// claim writes the file unless it is that of a running server; taken says whose it is then.
func (a *Announced) claim(ctx context.Context) (taken, err error) {
	// The kernel releases it when the process dies, so a killed server never blocks the file.
	lock, err := lockfile.Acquire(a.path+".lock", "MCP server")
	if held, ok := errors.AsType[*lockfile.HeldError](err); ok {
		return fmt.Errorf("process %d", held.Holder.PID), nil
	}
	if err != nil {
		return nil, err
	}
	other, err := os.ReadFile(a.path)
	// A server of another program takes no lock of ours, so it is asked.
	if err == nil && isRunning(ctx, other) {
		return errors.New("it answers at the address in the file"), lock.Release()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, lock.Release())
	}
	// A person may have other servers in the same file.
	if !isSession(other) {
		foreign := engine.Fail(engine.Conflict, next.Shell("mv %q %q", a.path, a.path+".mine"), "%q has more in it than the address of a server, so it is not replaced", a.path)
		return nil, errors.Join(foreign, lock.Release())
	}
	if err := disk.Write(a.path, a.content, disk.Options{Mode: 0o600}); err != nil {
		return nil, errors.Join(fmt.Errorf("write %q: %w", a.path, err), lock.Release())
	}
	a.lock = lock
	close(a.owned)
	return nil, nil
}

// isSession reports whether a file has nothing but the address of a server, as chant and rstn write it, or is empty.
func isSession(file []byte) bool {
	if len(bytes.TrimSpace(file)) == 0 {
		return true
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(file, &all) != nil {
		return false
	}
	if _, ours := all["url"]; ours {
		return true
	}
	var servers map[string]json.RawMessage
	if json.Unmarshal(all["mcpServers"], &servers) != nil {
		return false
	}
	_, named := servers[Rstn]
	return named && len(all) == 1 && len(servers) == 1
}

// isRunning reports whether the server that a session file names is running: one of another program, which holds no lock
// of ours.
func isRunning(ctx context.Context, file []byte) bool {
	var named struct {
		URL     string `json:"url"`
		Servers map[string]struct {
			URL string `json:"url"`
		} `json:"mcpServers"`
	}
	if json.Unmarshal(file, &named) != nil {
		return false
	}
	if named.URL == "" {
		named.URL = named.Servers[Rstn].URL
	}
	at, err := url.Parse(named.URL)
	if err != nil || at.Scheme != "http" {
		return false
	}
	if ip := net.ParseIP(at.Hostname()); at.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		// Nothing beyond this machine is asked: the file may name any address.
		return false
	}
	ctx, stop := context.WithTimeout(ctx, probeLimit)
	defer stop()
	// The first is ours, the others are those of rstn.
	for _, path := range []string{"/healthz", "/health", "/mcp/health"} {
		if isHealthy(ctx, at.Scheme+"://"+at.Host+path) {
			return true
		}
	}
	return false
}

func isHealthy(ctx context.Context, address string) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return false
	}
	// Without a proxy, which could answer for an address of this machine.
	once := &http.Transport{DisableKeepAlives: true}
	reply, err := once.RoundTrip(r)
	if err != nil {
		return false
	}
	// The status is all that counts.
	_ = reply.Body.Close()
	return reply.StatusCode == http.StatusOK
}

// Withdraw removes the file if it is still that of this server, and lets the next server write it. a may be nil.
func (a *Announced) Withdraw() error {
	if a == nil {
		return nil
	}
	a.stop()
	// Only then is the lock known to be ours or not.
	<-a.ended
	if a.lock == nil {
		return engine.Wrap(a.failed, "")
	}
	src, err := os.ReadFile(a.path)
	// Another server may have replaced the file, and that one stays.
	if err == nil && bytes.Equal(src, a.content) {
		err = os.Remove(a.path)
	}
	return engine.Wrap(errors.Join(ignoreMissing(err), ignoreMissing(a.lock.Release())), "")
}

// ignoreMissing is an error but for that of a file whose folder was removed.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
