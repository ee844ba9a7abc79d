package io.github.lockboot.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.lang.Nullable;
import org.springframework.util.StringUtils;

import io.github.lockboot.LockActivity;
import io.github.lockboot.LockMonitor;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockState;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.actuate.LocksDescriptor.TemplateDescriptor;

/**
 * {@link Endpoint @Endpoint} that shows the locks of this instance, the state of one lock
 * in the store and the locks that any instance holds, and lets an operator release a lock
 * by force.
 * <p>
 * The name of a lock may be part of the path, including slashes. A name that begins or
 * ends with a slash, or has two in a row, must be the parameter {@code name} instead. If
 * the store does not reply, a forced release fails with {@link LockUnavailableException};
 * the read operations show everything else. The forced release is off by default:
 * {@code management.endpoint.locks.access} allows it.
 *
 * @since 1.0.0
 */
// Spring Boot 3.5 recognizes an optional parameter only by Spring's own annotation
@SuppressWarnings("deprecation")
@Endpoint(id = "locks", defaultAccess = Access.READ_ONLY)
public class LocksEndpoint {

	private static final Log logger = LogFactory.getLog(LocksEndpoint.class);

	private static final int DEFAULT_LIMIT = 100;

	private final Map<String, LockOperations> templates;

	private final LongestWaits longestWaits;

	/**
	 * Create the endpoint.
	 * @param templates the templates by the names of their beans
	 * @param longestWaits a listener of the templates
	 */
	public LocksEndpoint(Map<String, LockOperations> templates, LongestWaits longestWaits) {
		this.templates = new TreeMap<>(templates);
		this.longestWaits = longestWaits;
	}

	/**
	 * Show the locks.
	 * @param name name of the lock to show, with its state in the store; {@code null} for
	 * all locks of this instance
	 * @param template bean name of the template; {@code null} for all templates
	 * @param scope {@code cluster} to show also the locks that any instance holds
	 * @param pattern names of these locks, in which {@code *} stands for any characters;
	 * {@code null} for all names
	 * @param after name of the last lock of the page before; {@code null} for the first
	 * page
	 * @param limit how many holds, waiting callers and locks to show; {@code null} for
	 * 100
	 * @return the locks
	 * @throws InvalidEndpointRequestException if a parameter is invalid, or the store
	 * keeps too much for a list
	 * @see LockOperations#list
	 */
	@ReadOperation
	public LocksDescriptor locks(@Nullable String name, @Nullable String template, @Nullable String scope,
			@Nullable String pattern, @Nullable String after, @Nullable Integer limit) {
		if ((scope != null) ? name != null || !scope.equals("cluster") : pattern != null || after != null) {
			throw invalid("The parameters 'pattern' and 'after' belong to 'scope=cluster', which is the only scope and"
					+ " has no 'name'");
		}
		int most = (limit != null) ? limit : DEFAULT_LIMIT;
		if (most < 1) {
			throw invalid("The limit of a list of locks must be from 1 to 1000 but is " + most);
		}
		Function<LockOperations, List<LockState>> list = (operations) -> operations
			.list((pattern != null) ? pattern : "*", after, most);
		Map<String, LockOperations> chosen = (template != null) ? Map.of(template, template(template)) : this.templates;
		Map<String, TemplateDescriptor> described = new LinkedHashMap<>();
		chosen.forEach((bean, operations) -> described.put(bean,
				describe(operations, (name != null) ? requireName(name) : null, (scope != null) ? list : null, most)));
		return new LocksDescriptor(described, this.longestWaits.list(name));
	}

	private static TemplateDescriptor describe(LockOperations operations, @Nullable String name,
			@Nullable Function<LockOperations, List<LockState>> list, int most) {
		try {
			LockState store = (name != null) ? operations.inspect(name) : null;
			List<LockState> cluster = (list != null) ? list.apply(operations) : null;
			return TemplateDescriptor.of(activity(operations), most, name, store, cluster, null);
		}
		catch (LockUnavailableException ex) {
			return TemplateDescriptor.of(activity(operations), most, name, null, null, ex.getMessage());
		}
		catch (IllegalArgumentException | UnsupportedOperationException ex) {
			throw invalid(String.valueOf(ex.getMessage()));
		}
	}

	static LockActivity activity(LockOperations operations) {
		return (operations instanceof LockMonitor monitor) ? monitor.activity() : LockActivity.none();
	}

	/**
	 * Show one lock.
	 * @param path name of the lock, split at its slashes
	 * @param template bean name of the template; {@code null} for all templates
	 * @return the lock
	 * @throws InvalidEndpointRequestException if there is no such template
	 */
	@ReadOperation
	public LocksDescriptor lock(@Selector(match = Match.ALL_REMAINING) String[] path, @Nullable String template) {
		return locks(String.join("/", path), template, null, null, null, null);
	}

	/**
	 * Release a lock by force, even if another instance holds it. The holder is notified
	 * as soon as possible, but may still be working.
	 * @param name name of the lock
	 * @param template bean name of the template; may be {@code null} if there is only one
	 * @return what was done
	 * @throws InvalidEndpointRequestException if the name is missing or blank, if there
	 * is no such template, or if there are several templates and none is named
	 */
	@DeleteOperation
	public ForcedReleaseDescriptor forceRelease(@Nullable String name, @Nullable String template) {
		return forceRelease("a caller within this instance or by JMX", name, template);
	}

	ForcedReleaseDescriptor forceRelease(String who, @Nullable String name, @Nullable String template) {
		String lock = requireName(name);
		if (template == null && this.templates.size() != 1) {
			throw unknownTemplate("There are several lock templates. Choose one by the parameter 'template'");
		}
		String chosen = (template != null) ? template : this.templates.keySet().iterator().next();
		boolean released = template(chosen).forceRelease(lock);
		if (released) {
			logger.warn("Lock '" + lock + "' of '" + chosen + "' was released by force, by the endpoint for " + who);
		}
		return new ForcedReleaseDescriptor(chosen, lock, released);
	}

	/**
	 * Release a lock by force, as {@link #forceRelease} does.
	 * @param path name of the lock, split at its slashes
	 * @param template bean name of the template; may be {@code null} if there is only one
	 * @return what was done
	 */
	@DeleteOperation
	public ForcedReleaseDescriptor forceReleasePath(@Selector(match = Match.ALL_REMAINING) String[] path,
			@Nullable String template) {
		return forceRelease(String.join("/", path), template);
	}

	private LockOperations template(String name) {
		LockOperations template = this.templates.get(name);
		if (template == null) {
			throw unknownTemplate("There is no lock template '" + name + "'. There are");
		}
		return template;
	}

	private InvalidEndpointRequestException unknownTemplate(String message) {
		return invalid(message + ": " + String.join(", ", this.templates.keySet()));
	}

	private static String requireName(@Nullable String name) {
		if (name == null) {
			throw invalid("The name of the lock is missing: add it to the path, or as the parameter 'name'");
		}
		if (!StringUtils.hasText(name)) {
			throw invalid("The name of a lock must not be blank");
		}
		return name;
	}

	private static InvalidEndpointRequestException invalid(String reason) {
		return new InvalidEndpointRequestException(reason, reason);
	}

}
