package library

// registry returns a registry with entries.
func registry(entries string) string {
	return `{"version": "1.0.0", "description": "d", "tools": {"commands": [` + entries + `]}}`
}
