package tree

import "chant/providers/secret"

// Hidden returns an environment without secrets, as evidence may keep it.
func (t *Trees) Hidden(vars map[string]string) map[string]string {
	out := make(map[string]string, len(vars))
	for name, value := range vars {
		if secret.Named(name) {
			out[name] = secret.Mark(name)
			continue
		}
		out[name] = t.Secrets.Text(value)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
