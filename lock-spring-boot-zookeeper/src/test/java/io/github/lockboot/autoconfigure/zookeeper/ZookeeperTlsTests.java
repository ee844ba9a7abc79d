package io.github.lockboot.autoconfigure.zookeeper;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;

import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NettyServerCnxnFactory;
import org.apache.zookeeper.server.auth.X509AuthenticationProvider;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.lockboot.LockOperations;
import io.github.lockboot.fixture.FreePort;
import io.github.lockboot.fixture.TestEnsemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Locks in a ZooKeeper by TLS, where clients need a certificate.
 */
@Tag("long")
@Timeout(60)
class ZookeeperTlsTests {

	private static final String PASSWORD = "changeit";

	private static final String SSL = "lock.zookeeper.client-properties.[zookeeper.ssl.";

	/** The key of the server and of the client, and a store with its certificate. */
	private static Path folder;

	private static int port;

	@AutoClose
	private static TestEnsemble ensemble;

	@BeforeAll
	static void start(@TempDir Path temporary) throws GeneralSecurityException, IOException, InterruptedException {
		folder = temporary;
		Path keys = newKeys();
		Path trusted = trust(keys);
		port = FreePort.pick();
		ensemble = TestEnsemble.started(1,
				List.of("secureClientPort=" + port, "serverCnxnFactory=" + NettyServerCnxnFactory.class.getName(),
						"ssl.keyStore.location=" + keys, "ssl.keyStore.password=" + PASSWORD,
						"ssl.trustStore.location=" + trusted, "ssl.trustStore.password=" + PASSWORD,
						"authProvider.x509=" + X509AuthenticationProvider.class.getName()));
	}

	private static Path newKeys() throws IOException, InterruptedException {
		Path file = folder.resolve("keys.p12");
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "key", "-keyalg", "EC", "-dname", "CN=shop", "-ext",
				"san=ip:127.0.0.1,dns:localhost", "-keystore", file.toString(), "-storepass", PASSWORD)
			.redirectErrorStream(true)
			.start();
		String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(keytool.waitFor()).as(said).isZero();
		return file;
	}

	/** Write a store with the certificate of a key. */
	private static Path trust(Path keys) throws GeneralSecurityException, IOException {
		KeyStore trusted = KeyStore.getInstance("PKCS12");
		trusted.load(null, null);
		trusted.setCertificateEntry("trusted",
				KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray()).getCertificate("key"));
		Path file = folder.resolve("trusted.p12");
		try (OutputStream out = Files.newOutputStream(file)) {
			trusted.store(out, PASSWORD.toCharArray());
		}
		return file;
	}

	@Test
	void nodesBelongToTheUserOfTheCertificate() {
		client()
			.withPropertyValues("lock.zookeeper.acl=creator", SSL + "keyStore.location]=" + folder.resolve("keys.p12"),
					SSL + "keyStore.password]=" + PASSWORD)
			.run((context) -> context.getBean(LockOperations.class).execute("order", () -> {
				ZooKeeper anonymous = new ZooKeeper(ensemble.connectString(), 10_000, (event) -> {
				});
				assertThatExceptionOfType(KeeperException.NoAuthException.class)
					.isThrownBy(() -> anonymous.getChildren("/locks/lock:order", false));
				anonymous.close();
			}));
	}

	@Test
	void aClientWithoutACertificateIsRefusedAtTheStart() {
		client().withPropertyValues("lock.zookeeper.connection-timeout=1s")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("did not reply within 1000 ms"));
	}

	private static ApplicationContextRunner client() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(ZookeeperLockAutoConfiguration.class))
			.withPropertyValues("lock.backend=zookeeper", "lock.zookeeper.connect-string=127.0.0.1:" + port,
					"lock.zookeeper.connection-timeout=20s",
					"lock.zookeeper.client-properties.[zookeeper.client.secure]=true",
					"lock.zookeeper.client-properties.[zookeeper.clientCnxnSocket]=org.apache.zookeeper.ClientCnxnSocketNetty",
					SSL + "trustStore.location]=" + folder.resolve("trusted.p12"),
					SSL + "trustStore.password]=" + PASSWORD);
	}

}
