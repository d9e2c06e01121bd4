package stack

import "crypto/tls"

// NoticeAsked returns a configuration that sets asked when the server asks for a certificate, and sends the one that config
// would. In TLS 1.3 such a client learns only with the first answer whether its certificate was taken.
func NoticeAsked(config *tls.Config, asked *bool) *tls.Config {
	noting := config.Clone()
	noting.GetClientCertificate = func(request *tls.CertificateRequestInfo) (*tls.Certificate, error) {
		*asked = true
		if config.GetClientCertificate != nil {
			return config.GetClientCertificate(request)
		}
		for i := range config.Certificates {
			if request.SupportsCertificate(&config.Certificates[i]) == nil {
				return &config.Certificates[i], nil
			}
		}
		return new(tls.Certificate), nil
	}
	return noting
}
