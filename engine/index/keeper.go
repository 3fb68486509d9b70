package index

import (
	"context"
	"os"
	"sync"
)

// Keeper keeps an index open between the queries of a process that asks again and again, such as a server: to open one
// takes longer than a query about one spec. It reopens an index whose file was replaced or removed. The nil Keeper
// keeps nothing.
type Keeper struct {
	mu   sync.Mutex
	kept *Index // not in use
	over bool
}

// Open is the function Open, or returns the index that was kept. Queries at the same time get one each.
func (k *Keeper) Open(ctx context.Context, folder, format string) *Index {
	if k == nil {
		return Open(ctx, folder, format)
	}
	if x := k.take(); x != nil {
		if x.folder == folder && x.format == format && x.isCurrent() {
			return x
		}
		_ = x.db.Close() // its file is gone
	}
	x := Open(ctx, folder, format)
	if x == nil {
		return nil
	}
	x.keeper, x.folder = k, folder
	return x
}

// isCurrent reports whether the open file is still the one at its path.
func (x *Index) isCurrent() bool {
	now, err := os.Stat(x.path)
	return err == nil && x.file != nil && os.SameFile(now, x.file)
}

func (k *Keeper) take() *Index {
	k.mu.Lock()
	defer k.mu.Unlock()
	x := k.kept
	k.kept = nil
	return x
}

// put keeps an index after its use. It returns false if another one is kept already, and after Close.
func (k *Keeper) put(x *Index) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept != nil || k.over {
		return false
	}
	k.kept = x
	return true
}

// Close closes what is kept. Nothing is kept from then on.
func (k *Keeper) Close() {
	k.mu.Lock()
	x := k.kept
	k.kept, k.over = nil, true
	k.mu.Unlock()
	if x != nil {
		_ = x.db.Close() // a cache: nothing can be lost
	}
}
