package io.github.lockboot.autoconfigure.zookeeper;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.util.Assert;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

import io.github.lockboot.autoconfigure.PropertyErrors;
import io.github.lockboot.zookeeper.ZookeeperLockSettings;

/**
 * Configuration properties of locks in ZooKeeper.
 *
 * @since 1.0.0
 */
@ConfigurationProperties("lock.zookeeper")
public class ZookeeperLockProperties implements Validator {

	/**
	 * Servers of the ensemble, as host:port separated by commas, optionally followed by a
	 * path below which all nodes are created.
	 */
	private @Nullable String connectString;

	/**
	 * Path of the node below which all nodes of locks are created.
	 */
	private String root = "/locks";

	/**
	 * Time without contact after which the ensemble frees the locks of an instance. The
	 * lease of a lock is half of this time. The ensemble limits the session timeout, by
	 * default to between 2 and 20 ticks.
	 */
	private Duration sessionTimeout = Duration.ofSeconds(30);

	/**
	 * Time to wait for the connection at startup, and for the reply to one request.
	 */
	private Duration connectionTimeout = Duration.ofSeconds(5);

	/**
	 * Scheme and credentials of the user, such as digest:user:password.
	 */
	private @Nullable String auth;

	/**
	 * Access to the nodes. By default, only their creator if there are credentials,
	 * otherwise everyone.
	 */
	private ZookeeperLockSettings.@Nullable Acl acl;

	/**
	 * Properties of ZooKeeper's client, for example for TLS and SASL.
	 */
	private final Map<String, String> clientProperties = new LinkedHashMap<>();

	public @Nullable String getConnectString() {
		return this.connectString;
	}

	public void setConnectString(@Nullable String connectString) {
		this.connectString = connectString;
	}

	public String getRoot() {
		return this.root;
	}

	public void setRoot(String root) {
		this.root = root;
	}

	public Duration getSessionTimeout() {
		return this.sessionTimeout;
	}

	public void setSessionTimeout(Duration sessionTimeout) {
		this.sessionTimeout = sessionTimeout;
	}

	public Duration getConnectionTimeout() {
		return this.connectionTimeout;
	}

	public void setConnectionTimeout(Duration connectionTimeout) {
		this.connectionTimeout = connectionTimeout;
	}

	public @Nullable String getAuth() {
		return this.auth;
	}

	public void setAuth(@Nullable String auth) {
		this.auth = auth;
	}

	public ZookeeperLockSettings.@Nullable Acl getAcl() {
		return this.acl;
	}

	public void setAcl(ZookeeperLockSettings.@Nullable Acl acl) {
		this.acl = acl;
	}

	public Map<String, String> getClientProperties() {
		return this.clientProperties;
	}

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
		rejected.check("connectString", () -> Assert.hasText(properties.getConnectString(),
				"The servers of the ensemble must be named, as host:port separated by commas"));
		rejected.check("root", () -> valid.withRoot(properties.getRoot()));
		rejected.check("sessionTimeout",
				() -> valid.withTimeouts(properties.getSessionTimeout(), valid.connectionTimeout()));
		rejected.check("connectionTimeout",
				() -> valid.withTimeouts(valid.sessionTimeout(), properties.getConnectionTimeout()));
		rejected.check("auth", () -> valid.withAuth(properties.getAuth(), valid.acl()));
	}

}
