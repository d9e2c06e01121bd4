package secret

import (
	"slices"
	"strings"
)

var (
	// nameParts are the words of a name, however it joins them: trustStorePassword, DB_PASSWORD, api-key.
	nameParts = pattern(`[A-Z]+(?:[a-z]+|\b|_|[0-9]|$)|[a-z]+|[A-Z]+`)

	secretWords = []string{
		"password", "passwd", "passphrase", "pwd", "pass", "secret", "secrets", "token", "apikey", "accesskey", "credential",
		"credentials", "auth", "authorization", "bearer", "cookie", "signature", "jwt", "dsn",
	}
	secretEnds = []string{"password", "passwd", "passphrase", "secret", "token", "apikey", "storepass", "keypass"}
	// secretKeys make a name that ends in "key" that of a secret.
	secretKeys = []string{
		"api", "access", "private", "secret", "encryption", "signing", "shared", "account", "master", "app", "license",
	}
	// harmlessEnds mark a name as something about a secret, such as the file that contains it.
	harmlessEnds = []string{
		"file", "files", "path", "dir", "folder", "env", "name", "type", "length", "len", "size", "bytes", "count", "ttl", "timeout",
		"url", "uri", "endpoint", "issuer", "mode", "algorithm", "provider", "header",
	}
)

// Named reports whether a name, such as that of a header, is that of a secret.
func Named(name string) bool {
	parts := nameParts().FindAllString(name, -1)
	for i, part := range parts {
		parts[i] = strings.ToLower(strings.Trim(part, "_0123456789"))
	}
	if len(parts) == 0 || slices.Contains(harmlessEnds, parts[len(parts)-1]) {
		return false
	}
	for i, part := range parts {
		isKey := i > 0 && part == "key" && slices.Contains(secretKeys, parts[i-1])
		if isKey || slices.Contains(secretWords, part) ||
			slices.ContainsFunc(secretEnds, func(end string) bool { return strings.HasSuffix(part, end) }) {
			return true
		}
	}
	return false
}
