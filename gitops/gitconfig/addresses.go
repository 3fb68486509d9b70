package gitconfig

import (
	"context"
	"slices"
	"strings"
)

// RemoteAddresses returns where the remotes are fetched from, and where they are pushed to if that is named apart. Each is as the
// settings name it.
func (s *Settings) RemoteAddresses(ctx context.Context) (fetched, pushed []string, err error) {
	list, err := s.list(ctx)
	for _, entry := range list {
		key, value, _ := strings.Cut(entry, "\n")
		if !strings.HasPrefix(key, "remote.") || value == "" {
			continue
		}
		switch {
		case strings.HasSuffix(key, ".url"):
			fetched = append(fetched, value)
		case strings.HasSuffix(key, ".pushurl"):
			pushed = append(pushed, value)
		}
	}
	slices.Sort(fetched)
	slices.Sort(pushed)
	return slices.Compact(fetched), slices.Compact(pushed), err
}
