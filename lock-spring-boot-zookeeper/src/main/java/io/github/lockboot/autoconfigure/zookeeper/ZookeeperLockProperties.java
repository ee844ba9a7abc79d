package io.github.lockboot.autoconfigure.zookeeper;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

import io.github.lockboot.autoconfigure.PropertyErrors;
import io.github.lockboot.zookeeper.ZookeeperLockSettings;

/**
 * Configuration properties of locks in ZooKeeper.
 *
 * @param connectString Servers of the ensemble, as host:port separated by commas,
 * optionally followed by a path below which all nodes are created.
 * @param root Path of the node below which all nodes of locks are created.
 * @param sessionTimeout Time without contact after which the ensemble frees the locks of
 * an instance. The lease of a lock is half of it. The ensemble must allow this timeout.
 * @param connectionTimeout Time to wait for the connection at startup, and for the reply
 * to one request.
 * @param auth Scheme and credentials of the user, such as digest:user:password.
 * @param acl Access to the nodes. By default, only their creator if there are
 * credentials, otherwise everyone.
 * @param clientProperties Properties of ZooKeeper's client, for example for TLS and SASL.
 * @since 1.0.0
 */
@ConfigurationProperties("lock.zookeeper")
public record ZookeeperLockProperties(@Nullable String connectString, @DefaultValue("/locks") String root,
		@DefaultValue("30s") Duration sessionTimeout, @DefaultValue("5s") Duration connectionTimeout,
		@Nullable String auth, ZookeeperLockSettings.@Nullable Acl acl,
		@DefaultValue Map<String, String> clientProperties) implements Validator {

	static ZookeeperLockProperties bind(Binder binder) {
		return binder.bindOrCreate("lock.zookeeper", ZookeeperLockProperties.class);
	}

	@Override
	public boolean supports(Class<?> type) {
		return ZookeeperLockProperties.class == type;
	}

	@Override
	public void validate(Object target, Errors errors) {
		ZookeeperLockProperties properties = (ZookeeperLockProperties) target;
		PropertyErrors rejected = new PropertyErrors(errors);
		ZookeeperLockSettings valid = ZookeeperLockSettings.of("localhost");
		rejected.check("connectString", () -> Assert.hasText(properties.connectString,
				"The servers of the ensemble must be named, as host:port separated by commas"));
		rejected.check("root", () -> valid.withRoot(properties.root));
		rejected.check("sessionTimeout",
				() -> valid.withTimeouts(properties.sessionTimeout, valid.connectionTimeout()));
		rejected.check("connectionTimeout",
				() -> valid.withTimeouts(valid.sessionTimeout(), properties.connectionTimeout));
		rejected.check("auth", () -> valid.withAuth(properties.auth, valid.acl()));
	}

	/** Return a text without passwords. */
	@Override
	public String toString() {
		return "ZookeeperLockProperties[connectString=" + this.connectString + ", root=" + this.root + "]";
	}

}
