package io.github.lockboot.zookeeper;

import java.util.Map;

import org.junit.jupiter.api.Test;

import io.github.lockboot.zookeeper.ZookeeperLockSettings.Acl;

import static org.assertj.core.api.Assertions.assertThat;

class ZookeeperLockSettingsTests {

	private final ZookeeperLockSettings settings = ZookeeperLockSettings.of("localhost");

	@Test
	void theirTextHasNoPasswords() {
		ZookeeperLockSettings secret = this.settings.withAuth("digest:shop:s3cret", Acl.CREATOR)
			.withClientProperties(Map.of("zookeeper.ssl.keyStore.password", "s3cret"));
		assertThat(secret.toString()).contains("digest:***", "zookeeper.ssl.keyStore.password")
			.doesNotContain("s3cret");
	}

	@Test
	void theOrderOfRightsAndPropertiesOfTheClientDoesNotMatter() {
		Map<String, String> secure = Map.of("zookeeper.client.secure", "true");
		assertThat(this.settings.withAuth(null, Acl.CREATOR).withClientProperties(secure))
			.isEqualTo(this.settings.withClientProperties(secure).withAuth(null, Acl.CREATOR));
	}

}
